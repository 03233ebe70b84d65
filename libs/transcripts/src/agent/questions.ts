import type { AgentMeta, PendingQuestion } from '../agent-meta/agent-meta.js';
import type { AgentEvent, EventData } from '../events/agent-event.js';
import { accepted, type Decision, refused } from './decision.js';

/** What the model reads when nobody answered in time. */
export const nobodyAnswered =
  'Nobody answered this question in time. Decide it yourself if you can, or finish what does not depend on it.';

/** The first answer is the one result of the call that asked; a second one is a conflict, like that of an approval. */
export function answerQuestion(command: EventData<'QuestionAnswered'>, meta: AgentMeta): Decision {
  const question = meta.questions.get(command.questionId);
  if (question === undefined) {
    return refused(
      'QUESTION_NOT_FOUND',
      `Question ${command.questionId} is not open: it was answered, has expired or its agent ended.`,
    );
  }
  return accepted(resultOf(question, meta, 'ok', command.text), { type: 'QuestionAnswered', data: command });
}

/** Nobody answered in time. Quiet when somebody did after all. */
export function expireQuestion(questionId: string, meta: AgentMeta): Decision {
  const question = meta.questions.get(questionId);
  if (question === undefined) return accepted();
  return accepted(resultOf(question, meta, 'error', nobodyAnswered), {
    type: 'QuestionExpired',
    data: { questionId },
  });
}

/** The open question that a message of this sender answers: the oldest one that was put to the agent's parent. */
export function questionTo(from: string, meta: AgentMeta): PendingQuestion | undefined {
  if (meta.launch === null || from !== `agent:${meta.launch.parentId}`) return undefined;
  return [...meta.questions.values()].find(({ data }) => data.to === 'parent');
}

function resultOf(
  { data }: PendingQuestion,
  meta: AgentMeta,
  outcome: 'ok' | 'error',
  content: string,
): AgentEvent {
  const call = meta.batch.find(({ key }) => key.turn === data.call.turn && key.index === data.call.index);
  return {
    type: 'ToolCallFinished',
    data: {
      call: data.call,
      name: call?.name ?? '',
      epoch: Math.max(1, meta.epoch),
      outcome,
      content,
      durationMs: 0,
    },
  };
}
