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
  log.commit(id, 'RunStarted', { epoch: 1, workerId: 'worker-oak', reason: 'launch' });
  log.pass(95_000);
  const call = { turn: 1, index: 0, providerId: 'call_1' };
  const name = 'run_shell_command';
  log.commit(id, 'TurnRecorded', {
    turn: 1,
    message: {
      role: 'assistant',
      blocks: [{ type: 'call', id: 'call_1', name, arguments: '{"command":"./backfill --month 2026-03"}' }],
    },
  });
  log.commit(id, 'ToolCallStarted', { call, name, tool: { name }, epoch: 1, repeatable: false });
  log.pass(30_000);
  log.commit(id, 'RunInterrupted', { epoch: 1, cause: 'crashed' });
  log.pass(1400);
  log.commit(id, 'RunStarted', { epoch: 2, workerId: 'worker-elm', reason: 'revival' });
  log.commit(id, 'ToolCallFinished', {
    call,
    name,
    outcome: 'unknown',
    content: 'The call was interrupted. Whether it took effect is unknown.',
  });
  log.pass(12_000);
  log.commit(id, 'ApprovalRequested', {
    approvalId,
    call: { turn: 2, index: 0, providerId: 'call_2' },
    name,
    tool: { name },
    arguments: '{"command":"./backfill --month 2026-03 --resume"}',
  });
  log.commit(id, 'RunParked', { epoch: 2, reason: 'approval' }, { status: 'waiting', run: null, epoch: 2 });
  log.approvals.push({
    id: approvalId,
    agentId: id,
    tool: 'run_shell_command',
    arguments: '{"command":"./backfill --month 2026-03 --resume"}',
    requestedAt: log.now.replace('T', ' ').replace('Z', '+00'),
    expiresAt: '2026-05-11 09:00:00.000+00',
  });
}
