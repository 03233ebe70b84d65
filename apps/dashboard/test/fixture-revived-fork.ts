import type { FixtureLog } from './fixture-log.js';

/** A fork whose first worker dies in a call, and which now waits for an approval under its second epoch. */
export function tellRevivedFork(
  log: FixtureLog,
  agent: { readonly id: string } & Record<string, unknown>,
  approvalId: string,
): void {
  const { id } = agent;
  log.pass(20_000);
  log.addAgent({ ...agent, kind: 'fork', status: 'queued' });
  log.commit(id, 'AgentLaunched', { kind: 'fork' });
  log.commit(id, 'RunStarted', { epoch: 1, worker: 'worker-oak', reason: 'launch' });
  log.pass(95_000);
  log.commit(id, 'ToolCallStarted', {
    call: { turn: 1, index: 0 },
    tool: 'run_shell_command',
    arguments: '{"command":"./backfill --month 2026-03"}',
  });
  log.pass(30_000);
  log.commit(id, 'RunInterrupted', { epoch: 1, cause: 'crashed' });
  log.pass(1400);
  log.commit(id, 'RunStarted', { epoch: 2, worker: 'worker-elm', reason: 'revival' });
  log.commit(id, 'ToolCallFinished', {
    call: { turn: 1, index: 0 },
    outcome: 'unknown',
    error: 'The call was interrupted. Whether it took effect is unknown.',
  });
  log.pass(12_000);
  log.commit(id, 'ApprovalRequested', {
    approvalId,
    tool: 'run_shell_command',
    arguments: '{"command":"./backfill --month 2026-03 --resume"}',
  });
  log.commit(id, 'RunParked', { epoch: 2, reason: 'approval' }, { status: 'waiting', run: null });
  log.approvals.push({
    id: approvalId,
    agentId: id,
    tool: 'run_shell_command',
    arguments: '{"command":"./backfill --month 2026-03 --resume"}',
    requestedAt: log.now,
    expiresAt: '2026-05-11T09:00:00.000Z',
  });
}
