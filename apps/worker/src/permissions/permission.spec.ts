import { describe, expect, it } from '@jest/globals';
import type { LiveTool } from '#agents';
import type { ToolIdentity } from '#policy';
import { decidePermission } from './permission.js';
import { noOperatorRules, type OperatorRules } from './permission-rules.js';
import type { CallTarget } from './protected-paths.js';

type Mode = 'plan' | 'default' | 'auto-edit' | 'auto' | 'yolo';
type Rules = Parameters<typeof decidePermission>[2]['runtime']['permissions'];

const live = (identity: ToolIdentity, readOnly = false): LiveTool => ({
  identity,
  description: '',
  parameters: '{}',
  readOnly,
  idempotent: readOnly,
  executable: true,
});
const shell = live({ name: 'run_shell_command' });
const edit = live({ name: 'edit' });
const reader = live({ name: 'read_file' }, true);
const serverTool = live({ server: 'files', tool: 'write' });

const nowhere: CallTarget = { insideWorkspace: false, paths: [], protectedPaths: [], command: '' };
const inside = (...paths: string[]): CallTarget => ({ ...nowhere, insideWorkspace: true, paths });
const guarded = (...paths: string[]): CallTarget => ({ ...inside(...paths), protectedPaths: paths });
const ofCommand = (command: string): CallTarget => ({ ...nowhere, command });

interface Given {
  readonly target?: CallTarget;
  readonly mode?: Mode;
  readonly session?: Rules;
  readonly operator?: Partial<OperatorRules>;
}

function decide(tool: LiveTool, { target = nowhere, mode = 'default', session = {}, operator = {} }: Given) {
  return decidePermission(tool, target, {
    runtime: { permissions: session, approvalMode: mode },
    operator: { ...noOperatorRules, ...operator },
  });
}
const verdict = (tool: LiveTool, given: Given): string => decide(tool, given).verdict;

describe('the approval modes', () => {
  const kinds: readonly (readonly [string, LiveTool, CallTarget])[] = [
    ['a read-only tool', reader, nowhere],
    ['an edit in the workspace', edit, inside('a.txt')],
    ['an edit outside of it', edit, nowhere],
    ['a command', shell, ofCommand('ls')],
    ['a protected path', edit, guarded('.git/config')],
  ];

  it.each([
    ['plan', ['allow', 'deny', 'deny', 'deny', 'deny']],
    ['default', ['allow', 'ask', 'ask', 'ask', 'ask']],
    ['auto-edit', ['allow', 'allow', 'ask', 'ask', 'ask']],
    ['auto', ['allow', 'allow', 'classify', 'classify', 'ask']],
    ['yolo', ['allow', 'allow', 'allow', 'allow', 'ask']],
  ] as const)('%s', (mode, expected) => {
    expect(kinds.map(([, tool, target]) => verdict(tool, { mode, target }))).toEqual(expected);
  });

  it('nothing opens plan mode for a tool that is not read-only, but the rest of it is open', () => {
    const every = { allow: ['edit'], ask: ['edit'] };
    expect(verdict(edit, { mode: 'plan', session: every })).toBe('deny');
    expect(verdict(reader, { mode: 'plan', session: { ask: ['read_file'] } })).toBe('ask');
  });
});

describe('the rules', () => {
  it('deny beats ask beats allow, whoever made them', () => {
    const all = { allow: ['edit'], ask: ['edit'], deny: ['edit'] };
    const asRules = (tool: string) => [{ tool }];
    expect(decide(edit, { session: all })).toMatchObject({ verdict: 'deny', rule: 'deny:edit' });
    expect(verdict(edit, { session: { allow: ['edit'], ask: ['edit'] } })).toBe('ask');
    expect(verdict(edit, { session: { allow: ['edit'] } })).toBe('allow');
    expect(verdict(edit, { session: { allow: ['edit'] }, operator: { deny: asRules('edit') } })).toBe('deny');
    expect(verdict(edit, { session: { deny: ['edit'] }, operator: { allow: asRules('edit') } })).toBe('deny');
    expect(verdict(edit, { session: { allow: ['edit'] }, operator: { ask: asRules('edit') } })).toBe('ask');
    expect(verdict(edit, { operator: { allow: asRules('edit') } })).toBe('allow');
  });

  it.each([
    'mcp__files__write',
    'MCP__Files__Write',
    ' mcp__files__write ',
    'mcp__files',
    'mcp__files__*',
    'mcp__files__wr*',
    'mcp__*',
    '*',
    'mcp__files__write(anything)',
  ])('deny and ask match wide: %j matches a tool of a server', (rule) => {
    expect(verdict(serverTool, { mode: 'yolo', session: { deny: [rule] } })).toBe('deny');
    expect(verdict(serverTool, { mode: 'yolo', session: { ask: [rule] } })).toBe('ask');
  });

  it.each(['mcp__file', 'mcp__files__writes', 'mcp__files2', 'write', 'mcp__file__*', ''])(
    'no rule matches what it does not name: %j',
    (rule) => {
      expect(verdict(serverTool, { mode: 'yolo', session: { deny: [rule] } })).toBe('allow');
    },
  );

  it.each(['MCP__files__write', 'mcp__files', 'mcp__files__*', 'mcp__*', '*', 'mcp__files__write '])(
    '[M03] allow matches the exact identity only: %j allows nothing',
    (rule) => {
      expect(verdict(serverTool, { session: { allow: [rule] } })).toBe('ask');
    },
  );

  it('[M03] an allow rule of one server permits no tool of another that looks like it', () => {
    const session = { allow: ['mcp__a_b__write'] };
    expect(verdict(live({ server: 'a_b', tool: 'write' }), { session })).toBe('allow');
    expect(verdict(live({ server: 'a b', tool: 'write' }), { session })).toBe('ask');
    expect(verdict(live({ server: 'a.b', tool: 'write' }), { session })).toBe('ask');
  });

  it('[SEC-1] a rule of the operator asks and denies whatever mode and rules a session opened with', () => {
    const session = { allow: ['run_shell_command', 'mcp__files__write'] };
    const everything = { ask: [{ tool: '*' }], deny: [{ tool: 'mcp__files' }] };
    expect(verdict(shell, { mode: 'yolo', session, operator: everything })).toBe('ask');
    expect(verdict(serverTool, { mode: 'yolo', session, operator: everything })).toBe('deny');
  });

  it('a rule of the operator for one path holds at and under it, and in a command by its mention', () => {
    const deny = [{ tool: 'edit', path: 'secrets' }];
    expect(verdict(edit, { mode: 'yolo', operator: { deny }, target: inside('secrets/key') })).toBe('deny');
    expect(verdict(edit, { mode: 'yolo', operator: { deny }, target: inside('Secrets') })).toBe('deny');
    expect(verdict(edit, { mode: 'yolo', operator: { deny }, target: inside('link', 'secrets/key') })).toBe(
      'deny',
    );
    expect(verdict(edit, { mode: 'yolo', operator: { deny }, target: inside('secrets2/key') })).toBe('allow');
    const inCommand = { deny: [{ tool: 'run_shell_command', path: 'secrets' }] };
    expect(
      verdict(shell, { mode: 'yolo', operator: inCommand, target: ofCommand('cat ./Secrets/key') }),
    ).toBe('deny');
    const allow = [{ tool: 'edit', path: 'docs' }];
    expect(verdict(edit, { operator: { allow }, target: inside('docs/a.md') })).toBe('allow');
    expect(verdict(edit, { operator: { allow }, target: inside('docs/link', 'src/a.ts') })).toBe('ask');
    expect(verdict(edit, { operator: { allow }, target: nowhere })).toBe('ask');
  });
});

describe('protected paths', () => {
  it('ask in every mode, whatever an allow rule says of the tool', () => {
    for (const mode of ['default', 'auto-edit', 'auto', 'yolo'] as const) {
      const given = { mode, target: guarded('.git/hooks/pre-commit') };
      expect(decide(edit, given)).toEqual({ verdict: 'ask', rule: 'protected_path' });
      expect(verdict(edit, { ...given, session: { allow: ['edit'] } })).toBe('ask');
      expect(verdict(edit, { ...given, operator: { allow: [{ tool: 'edit' }] } })).toBe('ask');
    }
  });

  it('run where a rule of the operator names the path for the tool, and only there', () => {
    const operator = { allow: [{ tool: 'edit', path: '.git/hooks' }] };
    expect(verdict(edit, { operator, target: guarded('.git/hooks/pre-commit') })).toBe('allow');
    expect(verdict(edit, { operator, target: guarded('.git/config') })).toBe('ask');
    expect(verdict(edit, { operator, target: guarded('.git/hooks/x', '.mcp.json') })).toBe('ask');
    expect(verdict(serverTool, { mode: 'yolo', operator, target: guarded('.git/hooks/x') })).toBe('ask');
  });
});
