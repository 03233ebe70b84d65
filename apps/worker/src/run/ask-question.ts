import type { AgentEvent, AgentMeta } from '#transcripts';
import type { QuestionArguments } from '../tools/question-tools.js';
import type { CheckedCall } from './checked-call.js';
import type { RunContext } from './run-context.js';

/** The fact of asking somebody. It expires like an approval. */
export function questionAsked(
  { call, executor, arguments: given }: CheckedCall,
  { log, services }: RunContext,
): AgentEvent & { type: 'QuestionAsked' } {
  // The schema of the tool vouches for the shape.
  const { question, options } = given as QuestionArguments;
  return {
    type: 'QuestionAsked',
    data: {
      questionId: services.newId(),
      call: call.key,
      text: question,
      ...(options === undefined ? {} : { options: [...options] }),
      to: executor.asks === 'parent' && canAnswer(log.meta) ? 'parent' : 'user',
      expiresInMs: services.approvalExpiryMs,
    },
  };
}

/** A parent that is parked until this very agent has ended cannot answer it: a person is asked in its place. */
const canAnswer = ({ launch }: AgentMeta): boolean => launch?.background === true;
