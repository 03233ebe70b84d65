import { createHash } from 'node:crypto';
import {
  type AgentMeta,
  type DecodedEvent,
  decodeEvent,
  type Decision,
  type EventOf,
  executeCommand,
  hasEnded,
  loadMeta,
  queueMessage,
  type RecordedEvent,
} from '#transcripts';
import type { LogTools } from '../log/log-tools.js';
import { escapeMarkup } from './outcome-message.js';

type Asked = DecodedEvent & EventOf<'QuestionAsked'>;

/** False for an event that asks nobody. */
export const concernsQuestionDelivery = ({ type }: RecordedEvent): boolean => type === 'QuestionAsked';

/**
 * Tells parents what their subagents ask them, from the log: at least once here, once in the parent's stream by the key of the
 * message. A host reads the question from the event stream and answers over HTTP; so may a person, whoever was asked.
 */
export async function deliverQuestions(tools: LogTools, events: readonly RecordedEvent[]): Promise<void> {
  for (const record of events) {
    const event = decodeEvent(record);
    if (event.type === 'QuestionAsked' && event.data.to === 'parent') await deliver(tools, event);
  }
}

async function deliver(tools: LogTools, event: Asked): Promise<void> {
  const child = await loadMeta(tools.store, event.record.stream);
  const { questionId } = event.data;
  // Answered or void by now, as after a rebuild of this reader.
  if (child.launch === null || !child.questions.has(questionId)) return;
  const message = {
    messageId: questionId,
    from: `agent:${child.agentId}`,
    text: questionMessage(event, child),
  };
  const told = await executeCommand(tools, {
    stream: child.launch.parentId,
    context: { actor: 'system:delivery', tenant: event.record.tenant, causation: event.record.id },
    idempotency: {
      key: `question:${questionId}`,
      bodyHash: createHash('sha256').update(questionId).digest('hex'),
    },
    decide: (parent) => tell(message, parent),
  });
  // A parent that is damaged is told when it can be read again (`lookAgain`).
  if (told.ok || told.code === 'AGENT_NOT_FOUND' || told.code === 'AGENT_DAMAGED') return;
  throw new Error(`Question ${questionId} could not be delivered: ${told.message}`);
}

/** Nobody is there to be told, as where there is no parent at all: the question stays open for people, until it expires. */
const hasNoTurns = (parent: AgentMeta): boolean =>
  hasEnded(parent) || parent.closed || (parent.kind === 'session' && !parent.hosted);

function tell(message: Parameters<typeof queueMessage>[0], parent: AgentMeta): Decision {
  return hasNoTurns(parent) ? { ok: true, events: [] } : queueMessage(message, parent);
}

/** What the parent reads: structured, escaped, with the way to answer. Pure. */
function questionMessage({ data }: Asked, { agentId, launch }: AgentMeta): string {
  const options = (data.options ?? []).map((option) => `<option>${escapeMarkup(option)}</option>`);
  return [
    `<agent-question id="${agentId}" description="${escapeMarkup(launch?.description ?? '')}">`,
    `<question>${escapeMarkup(data.text)}</question>`,
    ...options,
    '</agent-question>',
    `Agent ${agentId} waits for your answer. Send it with send_message to this agent_id.`,
  ].join('\n');
}
