import { type AgentMeta, hasEnded } from '../agent-meta/agent-meta.js';
import type { EventData } from '../events/agent-event.js';
import type { Outcome } from '../events/shared-schemas.js';
import { accepted, type Decision, refused } from './decision.js';
import { damageRefusal } from './note-damage.js';

const lost = (meta: AgentMeta, epoch: number) =>
  refused(
    'RUN_LOST',
    `Epoch ${epoch} no longer holds agent ${meta.agentId}; it is ${meta.status} at epoch ${meta.epoch}.`,
  );

/** True while the run of this epoch holds the agent. */
export const holds = (meta: AgentMeta, epoch: number): boolean =>
  meta.status === 'running' && meta.run?.epoch === epoch;

/** An observer or the worker itself says that a run is over without ending the agent. Quiet when it already is. */
export function interruptRun(command: EventData<'RunInterrupted'>, meta: AgentMeta): Decision {
  if (meta.run?.runId !== command.runId) return accepted();
  return accepted({ type: 'RunInterrupted', data: command });
}

export interface EndAgent {
  readonly epoch: number;
  readonly outcome: Outcome & { readonly status: 'completed' | 'failed' };
}

/** The one terminal event of an activation (RUN-5). A message that is still queued is answered first. */
export function endAgent(command: EndAgent, meta: AgentMeta): Decision {
  if (!holds(meta, command.epoch)) return lost(meta, command.epoch);
  if (command.outcome.status === 'completed' && meta.pending.length > 0) {
    return refused(
      'MESSAGES_PENDING',
      `Agent ${meta.agentId} has ${meta.pending.length} messages to read before it ends.`,
    );
  }
  const data = { epoch: command.epoch, activation: meta.activation, outcome: command.outcome };
  return accepted(
    command.outcome.status === 'completed' ? { type: 'AgentCompleted', data } : { type: 'AgentFailed', data },
  );
}

/** A session's run ends when everything in it is answered. */
export function releaseRun(command: EventData<'RunReleased'>, meta: AgentMeta): Decision {
  if (!holds(meta, command.epoch)) return lost(meta, command.epoch);
  if (meta.pending.length > 0 || meta.unanswered) {
    return refused('MESSAGES_PENDING', `Session ${meta.agentId} has unanswered messages.`);
  }
  return accepted({ type: 'RunReleased', data: command });
}

export interface CancelAgent {
  readonly by: string;
  /** Reason code of the outcome. */
  readonly reason: string;
  readonly note?: string;
}

/** Appended at once, whatever the worker does; the worker stops when it meets it (spec 03 §1). */
export function cancelAgent(command: CancelAgent, meta: AgentMeta): Decision {
  if (meta.status === 'absent') return refused('AGENT_NOT_FOUND', `Agent ${meta.agentId} does not exist.`);
  if (meta.kind === 'session') return refused('AGENT_BUSY', 'A session is closed, not cancelled.');
  if (hasEnded(meta))
    return refused('AGENT_ENDED', `Agent ${meta.agentId} has already ended as ${meta.status}.`);
  return accepted({
    type: 'AgentCancelled',
    data: {
      epoch: meta.epoch,
      activation: meta.activation,
      by: command.by,
      ...(command.note === undefined ? {} : { note: command.note }),
      outcome: {
        status: 'cancelled',
        reason: command.reason,
        result: meta.lastText,
        partial: true,
        refusedTools: [...meta.refusedTools],
      },
    },
  });
}

/** Makes a blocked agent dispatchable again; `revive` of an ended agent is a conflict (spec 03 §1). */
export function requestRevival(meta: AgentMeta): Decision {
  if (meta.status === 'absent') return refused('AGENT_NOT_FOUND', `Agent ${meta.agentId} does not exist.`);
  const damage = damageRefusal(meta);
  if (damage !== null) return damage;
  // Its stream verifies again: readers that passed the damage look once more, whether the agent had ended or not.
  if (meta.isDamageNoted && meta.status !== 'running') return waitEnded(meta, damageMended);
  if (hasEnded(meta))
    return refused('AGENT_ENDED', `Agent ${meta.agentId} has ended as ${meta.status}; a message resumes it.`);
  if (meta.status === 'running')
    return refused('RUN_HELD', `Agent ${meta.agentId} is running at epoch ${meta.epoch}.`);
  if (meta.status !== 'blocked') return accepted();
  return waitEnded(meta, 'revive_requested');
}

/** The reason with which a block for damage is lifted. */
export const damageMended = 'damage_mended';

const waitEnded = ({ epoch }: AgentMeta, reason: string): Decision =>
  accepted({ type: 'WaitEnded', data: { epoch: Math.max(1, epoch), reason } });
