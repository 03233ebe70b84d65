import { describe, expect, it } from '@jest/globals';
import { conformanceTable } from '../testing/conformance.js';
import { rejectionOf, valueOf } from '../testing/fixtures.js';
import { parseAgentCall } from './parse-agent-call.js';
import { lowerLimits } from './parse-limits.js';

interface Row {
  id: string;
  why: string;
  call: unknown;
  expect: { ok: boolean; reason?: string; parameter?: string };
}

const label = { description: 'Map the auth flow', prompt: 'List every entry point.' };
const fork = { ...label, subagent_type: 'fork' };

describe('the Agent call, row by row', () => {
  it.each(conformanceTable<Row[]>('agent-call-validation.json'))('$id: $why', (row) => {
    const result = parseAgentCall(row.call);
    const { ok, reason, parameter } = row.expect;
    expect(result.ok).toBe(ok);
    if (result.ok) return;
    if (reason !== undefined) expect(result.rejection.reason).toBe(reason);
    if (parameter !== undefined) {
      expect(result.rejection.parameter).toBe(parameter);
      expect(result.rejection.message).toContain(parameter);
    }
  });
});

describe('what a call becomes', () => {
  it('[POL-1] a fork without list carries none: absent, not empty', () => {
    expect(valueOf(parseAgentCall(fork))).toEqual({
      launch: 'fork',
      ...label,
      background: true,
      limits: {},
      onApproval: 'park',
      forkTurns: 'all',
    });
  });

  it('[POL-2] an empty list stays an empty list', () => {
    expect(valueOf(parseAgentCall({ ...fork, fork_tools: [] }))).toMatchObject({
      forkTools: { entries: [] },
    });
  });

  it('a call without type launches the default definition in the foreground', () => {
    expect(valueOf(parseAgentCall(label))).toEqual({
      launch: 'definition',
      ...label,
      background: false,
      limits: {},
      onApproval: 'park',
      definition: 'worker',
    });
  });

  it('carries what was asked, in units of its own', () => {
    const asked = {
      ...fork,
      fork_turns: '12',
      fork_profile: 'ro-research',
      run_in_background: false,
      onApproval: 'deny',
      limits: { maxTurns: 3, maxCostUsd: 0.5 },
    };
    expect(valueOf(parseAgentCall(asked))).toMatchObject({
      forkTurns: 12,
      forkProfile: 'ro-research',
      background: false,
      onApproval: 'deny',
      limits: { maxTurns: 3, maxCostUsd: 0.5 },
    });
    expect(
      valueOf(parseAgentCall({ ...label, subagent_type: 'explorer', model: 'openai:x', working_dir: 'src' })),
    ).toMatchObject({
      definition: 'explorer',
      model: 'openai:x',
      workingDir: 'src',
    });
  });

  it('toolCallId is a parameter of the HTTP edge alone', () => {
    const call = { ...fork, toolCallId: 'call_1' };
    expect(valueOf(parseAgentCall(call, { httpOnly: true }))).toMatchObject({ toolCallId: 'call_1' });
    expect(rejectionOf(parseAgentCall(call))).toMatchObject({ reason: 'content', parameter: 'toolCallId' });
  });
});

describe('what a call may not be', () => {
  it.each([
    [
      '[N07] a __proto__ key',
      JSON.parse('{"description":"a","prompt":"b","__proto__":{"admin":true}}') as unknown,
      '__proto__',
    ],
    ['a limit that raises nothing known', { ...fork, limits: { maxTurn: 3 } }, 'limits'],
    ['a limit of no turns', { ...fork, limits: { maxTurns: 0 } }, 'limits'],
    ['a limit that is not a number', { ...fork, limits: { maxSeconds: '60' } }, 'limits'],
    ['limits that are a list', { ...fork, limits: [] }, 'limits'],
    ['an empty string for the limits', { ...fork, limits: '' }, 'limits'],
    ['an empty string for a flag', { ...fork, run_in_background: '' }, 'run_in_background'],
    ['a name of null', { ...fork, name: null }, 'name'],
    ['isolation for a definition', { ...label, isolation: 'worktree' }, 'isolation'],
    ['another answer to approvals', { ...fork, onApproval: 'allow' }, 'onApproval'],
    ['a type that is not a string', { ...label, subagent_type: 7 }, 'subagent_type'],
    [
      'a fork spelled with a Kelvin sign',
      { ...label, subagent_type: 'for\u212a', fork_turns: 'all' },
      'fork_turns',
    ],
  ])('%s', (_what, call, parameter) => {
    expect(rejectionOf(parseAgentCall(call)).parameter).toBe(parameter);
  });

  it('a name alone asks for a teammate', () => {
    expect(rejectionOf(parseAgentCall({ ...label, name: 'scout' }))).toMatchObject({
      reason: 'teammate',
      parameter: 'name',
    });
  });

  it('a list and a profile exclude each other even when both are worth nothing', () => {
    for (const [fork_tools, fork_profile] of [
      ['', ''],
      [null, 'ro'],
      [[], null],
    ]) {
      expect(rejectionOf(parseAgentCall({ ...fork, fork_tools, fork_profile })).reason).toBe('combination');
    }
  });

  it('unknown keys come last, are all named, and the near miss is pointed out', () => {
    expect(rejectionOf(parseAgentCall({ ...fork, prompt: '', forkTools: [] })).parameter).toBe('prompt');
    const rejection = rejectionOf(parseAgentCall({ ...fork, forkTools: [], other: 1 }));
    expect(rejection.offenders).toEqual(['forkTools', 'other']);
    expect(rejection.message).toContain('"forkTools" (did you mean "fork_tools"?)');
  });

  it('every bad entry of a list is named under its parameter', () => {
    const rejection = rejectionOf(parseAgentCall({ ...fork, fork_tools: ['read_file', '*', ' x'] }));
    expect(rejection).toMatchObject({
      code: 'ALLOWLIST_INVALID',
      reason: 'content',
      parameter: 'fork_tools',
      offenders: ['*', ' x'],
    });
  });

  it.each([null, [], 'fork', 7, undefined, new Date()])('anything but a plain object: %p', (value) => {
    expect(rejectionOf(parseAgentCall(value)).reason).toBe('content');
  });

  it('[E11] arguments nested 100,000 deep are refused without touching the stack', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    for (const key of [
      'description',
      'fork_tools',
      'fork_profile',
      'fork_turns',
      'limits',
      'other',
      'name',
    ]) {
      expect(parseAgentCall({ ...fork, [key]: deep }).ok).toBe(false);
    }
  });
});

it('limits can only be lowered', () => {
  const maxima = { maxTurns: 200, maxToolCalls: 500, maxTokens: 1e6, maxCostUsd: 5, maxSeconds: 3600 };
  expect(lowerLimits(maxima, { maxTurns: 1000, maxToolCalls: 0, maxCostUsd: 0.1 })).toEqual({
    ...maxima,
    maxToolCalls: 0,
    maxCostUsd: 0.1,
  });
});
