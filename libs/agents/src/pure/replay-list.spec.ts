import { describe, expect, it } from '@jest/globals';
import { CLOSED_CEILING, type ListPolicy, NO_CEILING, parseAllowlist, wireName } from '#policy';
import { type ListReplayed, type ReplayInput, replayList } from './replay-list.js';
import { allowed, refusedCall, runStarted } from './testing/gate-events.js';

type Recorded = ReturnType<typeof allowed>;
const reader = { name: 'read_file' };
const shell = { name: 'run_shell_command' };
const search = { server: 'github', tool: 'search' };
const odd = { server: 'my.server', tool: 'do it' };

function start(entries: readonly string[], about: Partial<ReplayInput> = {}) {
  const forkTools = parseAllowlist(entries);
  if (!forkTools.ok) throw new Error(forkTools.rejection.message);
  return replayList({ kind: 'fork', mode: 'build', forkTools: forkTools.value, ancestors: [], ...about });
}

function replay(
  entries: readonly string[],
  events: readonly Recorded[],
  about: Partial<ReplayInput> = {},
): ListReplayed {
  const started = start(entries, about);
  if (!started.ok) throw new Error(started.rejection.message);
  for (const event of events) started.value.add(event);
  return started.value.result();
}

describe('a list replayed against a transcript', () => {
  it('names every call that it would have refused, with turn, index and reason', () => {
    const events = [
      runStarted([reader, shell]),
      allowed(reader, 0, 1),
      allowed(shell, 1, 1),
      allowed(shell, 0, 2),
    ];
    const result = replay(['read_file'], events);
    expect([result.calls, result.refusedCalls]).toEqual([3, 2]);
    expect(result.refused).toEqual([
      { turn: 1, index: 1, name: 'run_shell_command', reason: 'not_in_allowlist', recordedReason: null },
      { turn: 2, index: 0, name: 'run_shell_command', reason: 'not_in_allowlist', recordedReason: null },
    ]);
  });

  it('tells which refused calls it would have allowed', () => {
    const events = [runStarted([reader, shell]), refusedCall(shell, 'not_in_allowlist')];
    expect(replay(['run_shell_command'], events)).toMatchObject({
      refusedCalls: 0,
      newlyAllowed: [{ name: 'run_shell_command', reason: null, recordedReason: 'not_in_allowlist' }],
    });
  });

  it('[POL-8] gives a fork no forbidden tool and no tool an executor', () => {
    const agent = { name: 'agent' };
    const events = [
      runStarted([agent, shell]),
      refusedCall(agent, 'forbidden_in_fork', 0),
      refusedCall(shell, 'no_executor', 1),
    ];
    const result = replay(['agent', 'run_shell_command'], events);
    expect(result.refused.map(({ reason }) => reason)).toEqual(['forbidden_in_fork', 'no_executor']);
    expect(replay(['agent'], events, { kind: 'subagent' }).newlyAllowed).toHaveLength(1);
  });

  it('[POL-2] refuses everything when it is empty', () => {
    expect(replay([], [runStarted([reader]), allowed(reader)]).refused).toMatchObject([
      { reason: 'deny_all' },
    ]);
  });

  it('[POL-5] stays inside the ancestors and the given ceiling', () => {
    const above: ListPolicy = { version: 1, kind: 'list', entries: ['read_file'], bindings: [] };
    const events = [runStarted([reader, shell]), allowed(reader, 0), allowed(shell, 1)];
    const list = ['read_file', 'run_shell_command'];
    const bounded = replay(list, events, { ancestors: [{ policy: above, ceiling: NO_CEILING }] });
    expect(bounded.refused).toMatchObject([{ name: 'run_shell_command', reason: 'not_in_allowlist' }]);
    expect(replay(list, events, { ceiling: CLOSED_CEILING }).refused).toMatchObject([
      { name: 'run_shell_command', reason: 'blocked_by_mode' },
    ]);
  });

  it('[POL-10] is refused where the launch would have been', () => {
    expect(start(['run_shell_command'], { mode: 'plan' })).toMatchObject({
      ok: false,
      rejection: { code: 'TOOLS_OUTSIDE_MODE', offenders: ['run_shell_command'] },
    });
  });

  it('[POL-7] binds wire names to the first surface, and each call meets the surface of its time', () => {
    const events = [runStarted([odd]), allowed(odd, 0), runStarted([search], 2), allowed(search, 0, 2)];
    const result = replay([wireName(odd)], events);
    expect(result.policy).toMatchObject({ bindings: [{ ...odd, wireName: wireName(odd) }] });
    expect(result.refused).toMatchObject([{ turn: 2, reason: 'not_in_allowlist' }]);
    expect(replay([wireName(odd)], [runStarted([]), runStarted([odd], 2), allowed(odd)]).refusedCalls).toBe(
      1,
    );
  });

  it('names 1,000 calls at most and counts them all', () => {
    const events = Array.from({ length: 1_100 }, (_, turn) => allowed(shell, 0, turn + 1));
    const result = replay([], [runStarted([shell]), ...events]);
    expect([result.refused.length, result.refusedCalls]).toEqual([1_000, 1_100]);
  });
});
