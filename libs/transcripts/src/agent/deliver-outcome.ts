import { activationKey } from '../agent-meta/activation-key.js';
import { type AgentMeta, type BatchCall, hasEnded } from '../agent-meta/agent-meta.js';
import type { AgentEvent, EventData } from '../events/agent-event.js';
import type { CallKey } from '../events/shared-schemas.js';
import { accepted, type Decision, refused } from './decision.js';

export interface DeliverOutcome extends EventData<'OutcomeDelivered'> {
  /** The call that launched the child and was to wait for it; null when none does. */
  readonly awaitedBy: CallKey | null;
  /** Whether the child completed: what the waiting call answers with is no error then. */
  readonly completed: boolean;
  /** How long the child took. */
  readonly durationMs: number;
}

/**
 * Tells the parent of one activation of its child, once. A call that waits for it gets the outcome as its result, in the
 * same append; when nothing waits any more (the call was answered otherwise, the parent ended) it is a message.
 */
export function deliverOutcome(command: DeliverOutcome, meta: AgentMeta): Decision {
  if (meta.status === 'absent') return refused('AGENT_NOT_FOUND', `Agent ${meta.agentId} does not exist.`);
  if (meta.delivered.has(activationKey(command))) return accepted();
  const { agentId, activation, text } = command;
  const told = { agentId, activation, text };
  const call = waitingCall(command.awaitedBy, meta);
  if (call === undefined) return accepted({ type: 'OutcomeDelivered', data: told });
  return accepted(resultOf(command, call, meta), {
    type: 'OutcomeDelivered',
    data: { ...told, call: call.key },
  });
}

function waitingCall(key: CallKey | null, meta: AgentMeta): BatchCall | undefined {
  if (key === null || hasEnded(meta)) return undefined;
  return meta.batch.find(
    (call) => call.state === 'started' && call.key.turn === key.turn && call.key.index === key.index,
  );
}

function resultOf(
  { text, completed, durationMs }: DeliverOutcome,
  call: BatchCall,
  meta: AgentMeta,
): AgentEvent {
  return {
    type: 'ToolCallFinished',
    data: {
      call: call.key,
      name: call.name,
      epoch: meta.epoch,
      outcome: completed ? 'ok' : 'error',
      content: text,
      durationMs,
    },
  };
}
