import { describe, expect, it } from '@jest/globals';
import { rejectionOf, valueOf } from '../testing/fixtures.js';
import { parseAgentCall } from './parse-agent-call.js';
import { parseLimits } from './parse-limits.js';
import { judgeCustomisation } from './judge-customisation.js';
import { resolveForkPolicy } from './resolve-fork-policy.js';

const definition = { description: 'look', prompt: 'Look around.' };
const fork = { ...definition, subagent_type: 'fork' };

describe('a refused call names what was wrong with it, and what would be accepted', () => {
  it.each<[object | string, string, readonly string[]]>([
    ['text', 'An agent call must be an object of parameters, not "text".', []],
    [
      { ...definition, isolation: 'x' },
      'isolation is reserved and takes no value; leave it out.',
      ['isolation'],
    ],
    [
      { ...fork, model: 'm', working_dir: 'd' },
      'model and working_dir cannot be set for a fork, which keeps what its parent has; leave it out.',
      ['model', 'working_dir'],
    ],
    [
      { ...definition, fork_tools: [], fork_turns: '1' },
      'fork_tools, fork_turns can only be given together with subagent_type "fork".',
      ['fork_tools', 'fork_turns'],
    ],
    [
      { ...definition, name: 'n' },
      'name asks for a named teammate, which is not supported; leave name out.',
      ['name'],
    ],
    [
      { ...fork, name: 'n', fork_tools: [], fork_profile: 'ro' },
      'name asks for a named teammate, which excludes fork_tools, fork_profile and is not supported; leave name out.',
      ['fork_tools', 'fork_profile'],
    ],
    [
      { ...fork, fork_tools: [], fork_profile: 'ro' },
      'fork_tools and fork_profile exclude each other; give one of them (an empty fork_tools is a list that denies all).',
      ['fork_tools', 'fork_profile'],
    ],
    [{ prompt: 'p' }, 'description must be a text that is not blank, and it is missing.', ['description']],
    [{ ...definition, prompt: '  ' }, 'prompt must be a text that is not blank, not "  ".', ['prompt']],
    [
      { ...definition, subagent_type: ' ' },
      'subagent_type must be a text of 1 to 512 characters on one line, not " ".',
      ['subagent_type'],
    ],
    [
      { ...definition, model: 7 },
      'model must be a text of 1 to 512 characters on one line, not 7.',
      ['model'],
    ],
    [{ ...definition, name: 7 }, 'name must be left out, not be 7.', ['name']],
    [
      { ...fork, fork_turns: '0' },
      'fork_turns must be "all" or a positive integer as a string ("3"), not "0".',
      ['fork_turns'],
    ],
    [
      { ...definition, run_in_background: 'yes' },
      'run_in_background must be true or false, not "yes".',
      ['run_in_background'],
    ],
    [{ ...definition, onApproval: 'ask' }, 'onApproval must be "park" or "deny", not "ask".', ['onApproval']],
    [{ ...definition, limits: [] }, 'limits must be an object of numbers, not a list.', ['limits']],
  ])('%j', (call, message, offenders) => {
    expect(rejectionOf(parseAgentCall(call))).toMatchObject({ message, offenders });
  });

  it('an unknown parameter is named with the one that was probably meant, and with all there are', () => {
    const { message, offenders } = rejectionOf(parseAgentCall({ ...fork, forkTools: [], other: 1 }));
    expect(message).toMatch(
      /^Unknown parameters: "forkTools" \(did you mean "fork_tools"\?\), "other"; known are: description, prompt, .*, onApproval\.$/,
    );
    expect(offenders).toEqual(['forkTools', 'other']);
  });

  it('of many unknown parameters twenty are shown, and the rest is counted', () => {
    const many = Object.fromEntries(Array.from({ length: 22 }, (_, n) => [`zzzzzz${n}`, 1]));
    const { message, offenders } = rejectionOf(parseAgentCall({ ...fork, ...many }));
    expect(message).toContain('"zzzzzz19" and 2 more; known are');
    expect(message).not.toContain('zzzzzz20');
    expect(offenders).toHaveLength(22);
    const twenty = Object.fromEntries(Object.entries(many).slice(0, 20));
    expect(rejectionOf(parseAgentCall({ ...fork, ...twenty })).message).toContain('"zzzzzz19"; known');
  });

  it('an unknown parameter that is empty is unknown all the same', () => {
    expect(rejectionOf(parseAgentCall({ ...fork, other: '' })).offenders).toEqual(['other']);
  });
});

it('the parameter of a combination is the profile, which may be left out', () => {
  const both = { ...fork, fork_tools: [], fork_profile: 'ro' };
  expect(rejectionOf(parseAgentCall(both)).parameter).toBe('fork_profile');
});

describe('bounds of single parameters', () => {
  it('a short text has at most 512 characters on one line', () => {
    expect(parseAgentCall({ ...definition, model: 'm'.repeat(512) }).ok).toBe(true);
    expect(parseAgentCall({ ...definition, model: 'm'.repeat(513) }).ok).toBe(false);
    expect(parseAgentCall({ ...definition, model: 'a\tb' }).ok).toBe(false);
  });

  it.each(['xfork', 'forks', 'fork ', ' fork'])('%j is the name of a definition, not a fork', (type) => {
    expect(valueOf(parseAgentCall({ ...definition, subagent_type: type }))).toMatchObject({
      launch: 'definition',
      definition: type,
    });
  });

  it('a type that is no text is no fork, though it would print as one', () => {
    expect(rejectionOf(parseAgentCall({ ...definition, subagent_type: ['fork'] })).offenders).toEqual([
      'subagent_type',
    ]);
  });

  it.each<[string, unknown]>([
    ['all', 'all'],
    ['1', 1],
    ['007', 7],
    ['123', 123],
    ['9'.repeat(40), Number.MAX_SAFE_INTEGER],
  ])('%s turns are inherited as %j', (fork_turns, forkTurns) => {
    expect(valueOf(parseAgentCall({ ...fork, fork_turns }))).toMatchObject({ forkTurns });
  });

  it('onApproval and toolCallId may be empty, which is absent', () => {
    const call = { ...fork, onApproval: '', toolCallId: '' };
    expect(valueOf(parseAgentCall(call, { httpOnly: true }))).toMatchObject({ onApproval: 'park' });
  });
});

describe('limits', () => {
  it.each([
    [{ maxTurns: 1, maxToolCalls: 0, maxTokens: 1, maxCostUsd: 0.001, maxSeconds: 1 }],
    [{ maxTurns: 2 ** 53 - 1 }],
    [{}],
  ])('%j are taken as they are', (limits) => {
    expect(valueOf(parseLimits(limits))).toEqual(limits);
  });

  it.each<[object, string, string]>([
    [{ maxTurns: 0 }, 'maxTurns', 'a whole number, at least 1, not 0'],
    [{ maxTurns: 1.5 }, 'maxTurns', 'a whole number, at least 1, not 1.5'],
    [{ maxTokens: '5' }, 'maxTokens', 'a whole number, at least 1, not "5"'],
    [{ maxTokens: 2 ** 53 }, 'maxTokens', 'a whole number, at least 1, not 9007199254740992'],
    [{ maxToolCalls: -1 }, 'maxToolCalls', 'a whole number, at least 0, not -1'],
    [{ maxCostUsd: 0 }, 'maxCostUsd', 'a number above 0, not 0'],
    [{ maxCostUsd: '1' }, 'maxCostUsd', 'a number above 0, not "1"'],
    [{ maxCostUsd: Infinity }, 'maxCostUsd', 'a number above 0, not Infinity'],
    [{ maxSeconds: NaN }, 'maxSeconds', 'a whole number, at least 1, not NaN'],
    [{ maxSeconds: null }, 'maxSeconds', 'a whole number, at least 1, not null'],
  ])('%j are refused', (limits, name, wanted) => {
    expect(rejectionOf(parseLimits(limits))).toMatchObject({
      message: `limits.${name} must be ${wanted}.`,
      offenders: [`limits.${name}`],
      parameter: 'limits',
    });
  });

  it('an unknown one is named', () => {
    expect(rejectionOf(parseLimits({ maxTurn: 1 }))).toMatchObject({
      message: expect.stringMatching(
        /^limits has unknown keys: "maxTurn" \(did you mean "maxTurns"\?\); known are: .*\.$/,
      ),
      offenders: ['maxTurn'],
    });
  });
});

it.each([
  [
    'fork_profile' as const,
    'The session is in bare mode, which refuses local customisations such as a fork_profile. Give the tools inline, as fork_tools.',
    'The session is in safe mode, which refuses local customisations such as a fork_profile. Give the tools inline, as fork_tools.',
  ],
  [
    'agent definition' as const,
    'The session is in bare mode, which refuses local customisations such as an agent definition. Bundled definitions may be launched; those of the user or the project may not.',
    'The session is in safe mode, which refuses local customisations such as an agent definition. Bundled definitions may be launched; those of the user or the project may not.',
  ],
])('bare and safe mode say what may be given in the place of a %s', (what, bare, safe) => {
  const refusals = [
    judgeCustomisation({ bareMode: true, safeMode: true }, what),
    judgeCustomisation({ bareMode: false, safeMode: true }, what),
  ].map(rejectionOf);
  expect(refusals.map(({ message }) => message)).toEqual([bare, safe]);
  expect(refusals.map(({ offenders }) => offenders)).toEqual([[what], [what]]);
  expect(refusals[0]?.parameter).toBe(what === 'fork_profile' ? what : undefined);
});

it('a list and a profile at once are a broken promise of the caller', () => {
  const call = valueOf(parseAgentCall({ ...fork, fork_tools: [] }));
  if (call.launch !== 'fork' || call.forkTools === undefined) throw new Error('No list was read.');
  const profile = {
    name: 'ro' as never,
    tools: call.forkTools,
    promptHint: null,
    description: null,
    contentHash: '',
  };
  const { forkTools } = call;
  expect(() => resolveForkPolicy({ mode: 'build', forkTools, profile })).toThrow(
    'A fork has a list or a profile, never both: the call must be judged before its policy.',
  );
});
