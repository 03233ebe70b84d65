import { type AgentMeta, hasEnded } from '../agent-meta/agent-meta.js';
import type { EventData } from '../events/agent-event.js';
import { accepted, type Decision, refused } from './decision.js';
import { answerQuestion, questionTo } from './questions.js';

/** The first answer wins; a second one is a conflict (field case C15). */
export function resolveApproval(command: EventData<'ApprovalResolved'>, meta: AgentMeta): Decision {
  if (!meta.approvals.has(command.approvalId)) {
    return refused(
      'APPROVAL_NOT_FOUND',
      `Approval ${command.approvalId} is not open: it was answered, has expired or its agent ended.`,
    );
  }
  return accepted({ type: 'ApprovalResolved', data: command });
}

/**
 * Queues a message for a live agent; one of its parent answers the question that was put to the parent, if one is open. An ended
 * agent is resumed by `resumeAgent` in the same append.
 */
export function queueMessage(command: EventData<'MessageQueued'>, meta: AgentMeta): Decision {
  if (meta.status === 'absent') return refused('AGENT_NOT_FOUND', `Agent ${meta.agentId} does not exist.`);
  if (hasEnded(meta)) return refused('AGENT_ENDED', `Agent ${meta.agentId} has ended; it must be resumed.`);
  const question = questionTo(command.from, meta);
  if (question !== undefined)
    return answerQuestion({ questionId: question.questionId, text: command.text }, meta);
  return accepted({ type: 'MessageQueued', data: command });
}

/** A message to an ended agent is a new activation, gated by the current mode (spec 02 §5). */
export function resumeAgent(
  command: { message: EventData<'MessageQueued'>; mode: string; ceiling: unknown },
  meta: AgentMeta,
): Decision {
  if (meta.status === 'absent') return refused('AGENT_NOT_FOUND', `Agent ${meta.agentId} does not exist.`);
  if (!hasEnded(meta)) return refused('AGENT_NOT_ENDED', `Agent ${meta.agentId} is ${meta.status}.`);
  const resumed = {
    activation: meta.activation + 1,
    messageId: command.message.messageId,
    mode: command.mode,
    ceiling: command.ceiling,
  };
  return accepted({ type: 'AgentResumed', data: resumed }, { type: 'MessageQueued', data: command.message });
}
