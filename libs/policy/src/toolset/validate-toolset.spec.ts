import { describe, expect, it } from '@jest/globals';
import { resolveSubagentPolicy } from '../launch/resolve-subagent-policy.js';
import { conformanceTable } from '../testing/conformance.js';
import { rejectionOf, valueOf } from '../testing/fixtures.js';
import { resolveToolset, type ToolsetInput } from './effective-toolset.js';
import { validateExplorerTools, validateSubagentToolset } from './validate-toolset.js';

interface Row {
  id: string;
  why: string;
  mode: string;
  tools: string[];
  expect: { ok: boolean; reason?: string; offending?: string[] };
}

describe('[POL-10] toolsets by mode, row by row', () => {
  it.each(conformanceTable<Row[]>('definition-toolsets.json'))('$id: $why', (row) => {
    const result = validateSubagentToolset(row.mode, row.tools);
    expect(result.ok).toBe(row.expect.ok);
    if (result.ok) return;
    expect(result.rejection.reason).toBe(row.expect.reason);
    if (!row.expect.offending) return;
    expect(result.rejection.offenders).toEqual(row.expect.offending);
    expect(result.rejection.message).toContain('outside Build mode');
    expect(result.rejection.message).toContain(`"${row.mode}"`);
  });
});

describe('explorers', () => {
  it('keep to the repository four and the looking proxies in every mode', () => {
    expect(validateExplorerTools(['read', 'grep', 'find', 'ls', 'Browser_Network']).ok).toBe(true);
    for (const tool of ['bash', 'browser_goto', 'subagent', 'ask_question', 'mcp__docs__read', '*']) {
      expect(rejectionOf(validateExplorerTools(['read', tool])).offenders).toEqual([tool]);
    }
  });

  it('are refused in Build mode as well', () => {
    const explorer = { ...worker, definition: 'explorer', tools: ['read', 'bash'] };
    expect(rejectionOf(resolveToolset(explorer)).reason).toBe('explorer');
  });
});

const worker: ToolsetInput = {
  mode: 'build',
  definition: 'worker',
  tools: ['read', 'Bash', ' edit '],
  mayLaunch: true,
  hasBrowser: false,
};

describe('the effective toolset', () => {
  it('is the definition, the question to the parent and the launch of children, by registry name', () => {
    expect(valueOf(resolveToolset(worker))).toEqual([
      'read_file',
      'run_shell_command',
      'edit',
      'ask_question',
      'agent',
    ]);
    expect(valueOf(resolveToolset({ ...worker, mayLaunch: false }))).not.toContain('agent');
  });

  it('gets eight browser proxies in Build mode, three for explorers and outside it', () => {
    const proxies = (input: ToolsetInput) =>
      valueOf(resolveToolset(input)).filter((tool) => tool.startsWith('browser_'));
    expect(proxies({ ...worker, hasBrowser: true })).toHaveLength(8);
    const three = ['browser_console', 'browser_screenshot', 'browser_network'];
    expect(proxies({ ...worker, hasBrowser: true, definition: 'explorer', tools: ['read'] })).toEqual(three);
    expect(proxies({ ...worker, hasBrowser: true, mode: 'plan', tools: ['read'] })).toEqual(three);
  });

  it('is refused outside Build mode by the names as written', () => {
    expect(rejectionOf(resolveToolset({ ...worker, mode: 'plan' })).offenders).toEqual(['Bash', ' edit ']);
  });

  it('becomes the list and the ceiling that the subagent stores', () => {
    const { policy, ceiling } = valueOf(
      resolveSubagentPolicy({ ...worker, mode: 'review', tools: ['read'] }),
    );
    expect(policy.entries).toEqual(['read_file', 'ask_question', 'agent']);
    expect(ceiling.kind).toBe('closed_list');
    expect(rejectionOf(resolveSubagentPolicy({ ...worker, tools: ['Read(src/**)'] })).code).toBe(
      'ALLOWLIST_INVALID',
    );
  });
});
