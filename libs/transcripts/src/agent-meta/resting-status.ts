import type { AgentMeta, AgentStatus, BatchCall } from './agent-meta.js';

/** Calls that a run left on their way: only a repair can say what came of them (spec 03 §4). */
const lostStates: ReadonlySet<BatchCall['state']> = new Set(['open', 'allowed', 'started']);

const hasLostCalls = (meta: AgentMeta): boolean => meta.batch.some((call) => lostStates.has(call.state));

/** Status of an agent that may be claimed. Calls on their way make it an interrupted one, so that its claim repairs them. */
export const claimableStatus = (meta: AgentMeta): AgentStatus =>
  hasLostCalls(meta) ? 'interrupted' : 'queued';

/** Status of a session that no run holds, from what is left to do in it. Only a host goes on in a session of its own. */
export function restingStatus(meta: AgentMeta): AgentStatus {
  if (meta.waitingFor.length > 0 || meta.waitUntilMs !== null) return 'waiting';
  const hasWork = meta.batch.length > 0 || meta.unanswered || meta.pending.length > 0;
  return hasWork && meta.hosted ? claimableStatus(meta) : 'idle';
}
