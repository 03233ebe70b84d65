import { describe, expect, it } from '@jest/globals';
import { CLOSED_CEILING, NO_CEILING } from '../stored/ceiling.js';
import { listPolicy } from '../stored/list-policy.js';
import { UNRESTRICTED } from '../stored/stored-policy.js';
import { resolveSurface } from '../surface/resolve-surface.js';
import { conformanceTable } from '../testing/conformance.js';
import { forkGate, policyOf } from '../testing/fixtures.js';
import type { ToolIdentity } from '../tool-identity.js';
import { wireName } from '../wire-name.js';
import { compileGate } from './compile-gate.js';

interface Row {
  id: string;
  why: string;
  fork_tools?: unknown;
  tool: ToolIdentity;
  expect: 'allow' | 'deny';
}

const builtIns = ['read_file', 'edit', 'run_shell_command', 'agent'].map((name) => ({ name }));
const github = { server: 'github', tool: 'search' };

describe('matching, row by row', () => {
  it.each(conformanceTable<{ match: Row[] }>('allowlist-match.json').match)('$id: $why', (row) => {
    const decision = forkGate([row.tool], row.fork_tools).decide(wireName(row.tool));
    expect(decision.allowed).toBe(row.expect === 'allow');
    expect(decision.identity).toEqual(row.tool);
  });
});

describe('the kinds of list', () => {
  it('[POL-1][T01] no list restricts nothing but what no fork runs', () => {
    expect(forkGate([...builtIns, github]).executable()).toEqual([
      'read_file',
      'edit',
      'run_shell_command',
      'mcp__github__search',
    ]);
  });

  it('[POL-2][T01] an empty list denies every tool, and says so by its own reason', () => {
    const gate = forkGate([...builtIns, github], []);
    expect(gate.executable()).toEqual([]);
    expect(gate.decide('read_file')).toMatchObject({ allowed: false, reason: 'deny_all' });
  });

  it('[T01] a list of unknown names denies every tool', () => {
    expect(forkGate([...builtIns, github], ['nope', 'mcp__none__*']).executable()).toEqual([]);
  });
});

describe('the order of the checks', () => {
  it('[POL-4][T15] declared comes before the list, the list before the kind, the kind before the ceiling', () => {
    const tools = [...builtIns, github];
    const ceiling = CLOSED_CEILING;
    expect(forkGate(tools, ['glob'], { ceiling }).decide('glob')).toMatchObject({ reason: 'undeclared' });
    expect(forkGate(tools, ['glob'], { ceiling }).decide('agent')).toMatchObject({
      reason: 'not_in_allowlist',
    });
    expect(forkGate(tools, ['agent'], { ceiling }).decide('agent')).toMatchObject({
      reason: 'forbidden_in_fork',
    });
    expect(forkGate(tools, ['edit'], { ceiling }).decide('edit')).toMatchObject({
      reason: 'blocked_by_mode',
    });
    expect(forkGate(tools, undefined, { executable: () => false }).decide('edit')).toMatchObject({
      reason: 'no_executor',
    });
  });

  it('[T11] a called name is matched by exact code units', () => {
    for (const name of [' read_file', 'READ_FILE', 'read_file\n', 'toString', '__proto__', '']) {
      expect(forkGate(builtIns).decide(name)).toEqual({ allowed: false, reason: 'undeclared', layer: 0 });
    }
  });
});

describe('[POL-8][T06] what no fork runs', () => {
  const names = ['agent', 'send_message', 'task_stop', 'ask_user_question'];
  const tools = names.map((name) => ({ name }));

  it('is refused in a fork whatever the list says, and runs in a session', () => {
    expect(forkGate(tools, names).executable()).toEqual([]);
    expect(forkGate(tools, undefined, { kind: 'session' }).executable()).toEqual(names);
    expect(forkGate(tools, undefined, { kind: 'subagent' }).executable()).toEqual(names);
  });

  it('is told by identity: an MCP tool of the same name is another tool', () => {
    expect(forkGate([{ server: 'crew', tool: 'agent' }]).executable()).toEqual(['mcp__crew__agent']);
  });
});

describe('[POL-5] ancestors', () => {
  const parent = { policy: policyOf(['read_file', 'edit']), ceiling: NO_CEILING };

  it('narrow by their lists and ceilings, and say which layer refused', () => {
    const gate = forkGate(builtIns, ['read_file', 'run_shell_command'], { ancestors: [parent] });
    expect(gate.executable()).toEqual(['read_file']);
    expect(gate.decide('run_shell_command')).toMatchObject({ reason: 'not_in_allowlist', layer: 1 });
    const capped = forkGate(builtIns, undefined, {
      ancestors: [{ policy: UNRESTRICTED, ceiling: CLOSED_CEILING }],
    });
    expect(capped.executable()).toEqual(['read_file']);
  });

  it('never widen: an unrestricted ancestor leaves a narrow list as it is', () => {
    const ancestors = [{ policy: UNRESTRICTED, ceiling: NO_CEILING }];
    expect(forkGate(builtIns, ['edit'], { ancestors }).executable()).toEqual(['edit']);
  });
});

describe('[POL-7] wire names over time', () => {
  const meant = { server: 'repo.bad', tool: 'read' };
  const lookAlike = { server: 'repo_bad', tool: 'read_pko2hvxghi' };
  const entry = wireName(meant);

  it('a bound entry means its tool for ever, and not the raw tool that is named like it later', () => {
    const policy = policyOf([entry], [meant]);
    expect(forkGate([meant], undefined, { policy }).executable()).toEqual([entry]);
    expect(forkGate([lookAlike], undefined, { policy }).executable()).toEqual([]);
  });

  it('an entry that was bound to nothing at launch counts as its raw form only', () => {
    const policy = policyOf([entry], []);
    expect(forkGate([meant], undefined, { policy }).executable()).toEqual([]);
    expect(forkGate([lookAlike], undefined, { policy }).executable()).toEqual([entry]);
  });
});

describe('[T13][M03] wildcards', () => {
  const servers = ['github', 'github_evil', 'github-x'].map((server) => ({ server, tool: 'search' }));

  it('hold to the exact server', () => {
    for (const entry of ['mcp__github__*', 'mcp__github']) {
      expect(forkGate(servers, [entry]).executable()).toEqual(['mcp__github__search']);
    }
    const dotted = [
      { server: 'foo.bar', tool: 'x' },
      { server: 'foo_bar', tool: 'x' },
    ];
    expect(forkGate(dotted, ['mcp__foo.bar__*']).executable()).toEqual([
      wireName({ server: 'foo.bar', tool: 'x' }),
    ]);
    expect(forkGate(dotted, ['mcp__foo_bar__*']).executable()).toEqual(['mcp__foo_bar__x']);
  });

  it('hold to the exact prefix', () => {
    const tools = ['read_a', 'read_', 'readme', 'READ_a'].map((tool) => ({ server: 'github', tool }));
    expect(forkGate(tools, ['mcp__github__read_*']).executable()).toEqual([
      'mcp__github__read_a',
      'mcp__github__read_',
    ]);
  });
});

it('tells the entry that let a call through, and the identity to execute', () => {
  const gate = forkGate([github], ['mcp__*', 'mcp__github__se*', 'mcp__github__search']);
  expect(gate.decide('mcp__github__search')).toEqual({
    allowed: true,
    identity: github,
    rule: { kind: 'entry', entry: 'mcp__github__search' },
  });
  expect(forkGate([github], ['mcp__*', 'mcp__github__se*']).decide('mcp__github__search')).toMatchObject({
    rule: { entry: 'mcp__github__se*' },
  });
  expect(forkGate([github]).decide('mcp__github__search')).toMatchObject({ rule: { kind: 'unrestricted' } });
});

it('[POL-10] a stored ceiling lets through only what is still in the closed list', () => {
  const ceiling = { ...CLOSED_CEILING, names: ['read_file', 'run_shell_command'] };
  expect(forkGate(builtIns, undefined, { ceiling }).executable()).toEqual(['read_file']);
});

it('[T24] the answers are frozen: no caller can change what a gate says', () => {
  const gate = forkGate(builtIns, ['read_file']);
  expect(Object.isFrozen(gate)).toBe(true);
  expect(Object.isFrozen(gate.executable())).toBe(true);
  expect(Object.isFrozen(gate.decide('read_file'))).toBe(true);
  expect(Object.isFrozen(gate.decide('nope'))).toBe(true);
});

it('[POL-6] throws for a list that no parser let through, instead of matching less or more', () => {
  const policy = { ...listPolicy({ entries: [] }), entries: ['*'] };
  const compile = () =>
    compileGate({ kind: 'fork', surface: resolveSurface([]), policy, ceiling: NO_CEILING });
  expect(compile).toThrow('A stored list holds an entry that no launch accepts.');
  expect(compile).toThrow(TypeError);
});

it('every entry of a list counts, also where several name one server', () => {
  const tools = ['x', 'y', 'ab', 'z'].map((tool) => ({ server: 'one', tool }));
  const gate = forkGate(tools, ['mcp__one__x', 'mcp__one__y', 'mcp__one__a*']);
  expect(gate.executable()).toEqual(['mcp__one__x', 'mcp__one__y', 'mcp__one__ab']);
});

it('[T13] a wildcard is no name: a built-in that is called like one stays out', () => {
  const tools = ['mcp__*', 'mcp__a__b*'].map((name) => ({ name }));
  expect(forkGate(tools, ['mcp__*', 'mcp__a__b*']).executable()).toEqual([]);
});
