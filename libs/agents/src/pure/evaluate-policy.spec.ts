import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type Allowlist,
  CLOSED_REGISTRY_NAMES,
  FORBIDDEN_IN_FORK,
  parseAllowlist,
  resolveSurface,
  type Result,
  type ToolIdentity,
  wireName,
  WORKFLOW_MODES,
} from '#policy';
import { evaluatePolicy, type PolicyEvaluation } from './evaluate-policy.js';

const reader = { name: 'read_file' };
const shell = { name: 'run_shell_command' };
const search = { server: 'github', tool: 'search' };
const everything: readonly ToolIdentity[] = [
  reader,
  shell,
  { name: 'agent' },
  { name: 'ask_question' },
  search,
];

function listOf(entries: readonly string[]): Allowlist {
  const parsed = parseAllowlist(entries);
  if (!parsed.ok) throw new Error(parsed.rejection.message);
  return parsed.value;
}

function ofFork(entries?: readonly string[], mode = 'build', tools = everything): Result<PolicyEvaluation> {
  const calls = [...tools.map(wireName), 'no_such_tool'];
  const list = entries === undefined ? {} : { forkTools: listOf(entries) };
  return evaluatePolicy({ kind: 'fork', mode, surface: resolveSurface(tools), calls, ...list });
}

const ofSubagent = (tools: readonly string[], mode = 'build'): Result<PolicyEvaluation> =>
  evaluatePolicy({
    kind: 'subagent',
    mode,
    tools,
    surface: resolveSurface(everything),
    calls: everything.map(wireName),
  });

/** Each call with its reason, null where it is allowed. */
function reasonsOf(result: Result<PolicyEvaluation>): Record<string, string | null> {
  if (!result.ok) throw new Error(result.rejection.message);
  return Object.fromEntries(result.value.verdicts.map(({ call, reason }) => [call, reason]));
}

describe('a fork', () => {
  it('[POL-1] [POL-8] without a list may call everything but what no fork runs', () => {
    expect(reasonsOf(ofFork())).toEqual({
      read_file: null,
      run_shell_command: null,
      agent: 'forbidden_in_fork',
      ask_question: null,
      mcp__github__search: null,
      no_such_tool: 'undeclared',
    });
  });

  it('[POL-2] with an empty list may call nothing', () => {
    expect(reasonsOf(ofFork([]))).toMatchObject({ read_file: 'deny_all', mcp__github__search: 'deny_all' });
  });

  it('[POL-10] without a list is held to the closed list outside Build mode', () => {
    expect(reasonsOf(ofFork(undefined, 'plan'))).toMatchObject({
      read_file: null,
      run_shell_command: 'blocked_by_mode',
      mcp__github__search: 'blocked_by_mode',
    });
  });

  it('[POL-10] with a list outside the closed list is refused as its launch would be', () => {
    expect(ofFork(['read_file', 'mcp__*'], 'plan')).toMatchObject({
      ok: false,
      rejection: { code: 'TOOLS_OUTSIDE_MODE', offenders: ['mcp__*'] },
    });
  });

  it('[POL-5] is bounded by the agents above it', () => {
    const result = evaluatePolicy({
      kind: 'fork',
      mode: 'build',
      surface: resolveSurface(everything),
      calls: ['read_file', 'run_shell_command'],
      ancestors: [
        {
          policy: { version: 1, kind: 'list', entries: ['read_file'], bindings: [] },
          ceiling: { version: 1, kind: 'none' },
        },
      ],
    });
    expect(reasonsOf(result)).toEqual({ read_file: null, run_shell_command: 'not_in_allowlist' });
  });

  it('a wire name with a digest is bound to the tool that bears it on this surface', () => {
    const odd = { server: 'my.server', tool: 'do it' };
    const result = ofFork([wireName(odd)], 'build', [odd]);
    expect(reasonsOf(result)).toEqual({ [wireName(odd)]: null, no_such_tool: 'undeclared' });
    expect(result.ok && result.value.policy).toMatchObject({
      bindings: [{ ...odd, wireName: wireName(odd) }],
    });
  });

  it('[POL-8] [POL-10] never gets more than the mode and the kind permit, whatever the list', () => {
    const names = [...CLOSED_REGISTRY_NAMES, ...FORBIDDEN_IN_FORK, 'run_shell_command', 'edit', 'x'];
    const tools = names.map((name) => ({ name }));
    fc.assert(
      fc.property(fc.constantFrom(...WORKFLOW_MODES), fc.option(fc.subarray(names)), (mode, entries) => {
        const result = ofFork(entries ?? undefined, mode, tools);
        if (!result.ok) return;
        for (const { call, allowed, reason } of result.value.verdicts) {
          expect(reason === null).toBe(allowed);
          if (!allowed) continue;
          expect(FORBIDDEN_IN_FORK).not.toContain(call);
          if (entries !== null) expect(entries).toContain(call);
          if (mode !== 'build') expect(CLOSED_REGISTRY_NAMES).toContain(call);
        }
      }),
    );
  });
});

describe('a subagent', () => {
  it('is shown its effective tools and no others', () => {
    const result = ofSubagent([' Read ']);
    expect(reasonsOf(result)).toEqual({
      read_file: null,
      run_shell_command: 'undeclared',
      agent: 'undeclared',
      ask_question: null,
      mcp__github__search: 'undeclared',
    });
    expect(result.ok && [...result.value.surface.declared.keys()]).toEqual(['read_file', 'ask_question']);
  });

  it('may launch agents when its definition says so, which no fork may', () => {
    expect(reasonsOf(ofSubagent(['subagent']))).toMatchObject({ agent: null });
  });

  it.each([
    ['in Build mode', 'build', ['browser_console', 'browser_click']],
    ['outside it', 'plan', ['browser_console']],
  ])('gets the browser proxies of its mode %s when there is a browser', (_where, mode, expected) => {
    const surface = resolveSurface([{ name: 'browser_console' }, { name: 'browser_click' }]);
    const result = evaluatePolicy({ kind: 'subagent', mode, tools: ['read'], surface, calls: [] });
    expect(result.ok && [...result.value.surface.declared.keys()]).toEqual(expected);
  });

  it('[POL-10] with a tool outside the closed list is refused by name outside Build mode', () => {
    expect(ofSubagent(['read', ' Bash '], 'review')).toMatchObject({
      ok: false,
      rejection: { code: 'TOOLS_OUTSIDE_MODE', offenders: [' Bash '] },
    });
  });
});
