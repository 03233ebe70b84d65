import { type AgentMeta, hasEnded } from '../agent-meta/agent-meta.js';
import type { Surface } from '../events/shared-schemas.js';
import { accepted, type Decision, refused } from './decision.js';

/** A worker's claim of an agent. `surface` is what the run would start with. */
export interface StartRun {
  readonly runId: string;
  readonly workerId: string;
  readonly model: string;
  readonly surface: Surface;
}

/** At most one run holds an agent; each claim has the next epoch (RUN-1). */
export function startRun(command: StartRun, meta: AgentMeta): Decision {
  if (meta.status === 'absent')
    return refused('AGENT_NOT_FOUND', `Agent ${meta.agentId} was never launched.`);
  if (hasEnded(meta))
    return refused('AGENT_ENDED', `Agent ${meta.agentId} has ended as ${meta.status}; a message resumes it.`);
  if (meta.status !== 'queued' && meta.status !== 'interrupted') {
    return refused(
      'RUN_HELD',
      `Agent ${meta.agentId} is ${meta.status}; only a queued or interrupted agent can be claimed.`,
    );
  }
  return accepted({
    type: 'RunStarted',
    data: { ...command, epoch: meta.epoch + 1, activation: meta.activation, reason: reasonOf(meta) },
  });
}

function reasonOf(meta: AgentMeta): 'launch' | 'revival' | 'resume' | 'message' | 'continue' {
  if (meta.kind !== 'session' && meta.lastRun === null) return 'launch';
  if (meta.kind !== 'session' && meta.lastRun?.activation !== meta.activation) return 'resume';
  if (meta.status === 'interrupted') return 'revival';
  return meta.kind === 'session' ? 'message' : 'continue';
}
