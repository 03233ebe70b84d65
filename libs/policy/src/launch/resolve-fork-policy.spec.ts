import { describe, expect, it } from '@jest/globals';
import { parseAllowlist } from '../allowlist/parse-allowlist.js';
import { parseProfile } from '../profiles/parse-profile.js';
import { parseProfileName } from '../profiles/profile-name.js';
import type { Result } from '../rejection.js';
import { resolveSurface } from '../surface/resolve-surface.js';
import { conformanceTable } from '../testing/conformance.js';
import { forkGate, rejectionOf, valueOf } from '../testing/fixtures.js';
import type { ToolIdentity } from '../tool-identity.js';
import { wireName } from '../wire-name.js';
import { type ForkPolicy, resolveForkPolicy } from './resolve-fork-policy.js';

interface Row {
  id: string;
  why: string;
  mode: string;
  fork_tools?: unknown;
  expect: {
    ok: boolean;
    reason?: string;
    offending?: string[];
    runs?: ToolIdentity[];
    blocks?: ToolIdentity[];
  };
}

function resolve(mode: string, entries?: unknown): Result<ForkPolicy> {
  if (entries === undefined) return resolveForkPolicy({ mode });
  const forkTools = parseAllowlist(entries);
  return forkTools.ok ? resolveForkPolicy({ mode, forkTools: forkTools.value }) : forkTools;
}

describe('[POL-10] forks by mode, row by row', () => {
  it.each(conformanceTable<Row[]>('fork-mode-gate.json'))('$id: $why', (row) => {
    const result = resolve(row.mode, row.fork_tools);
    expect(result.ok).toBe(row.expect.ok);
    if (!result.ok) {
      expect(result.rejection.reason).toBe(row.expect.reason);
      if (row.expect.offending) expect(result.rejection.offenders).toEqual(row.expect.offending);
      return;
    }
    const { runs = [], blocks = [] } = row.expect;
    const gate = forkGate([...runs, ...blocks], undefined, result.value);
    expect(gate.executable()).toEqual(runs.map(wireName));
  });
});

it('a mode refusal names every offender, the mode and what is permitted', () => {
  const { code, message } = rejectionOf(resolve('plan', ['edit', 'glob', 'mcp__*']));
  expect(code).toBe('TOOLS_OUTSIDE_MODE');
  for (const part of [
    '"plan"',
    '"edit"',
    '"mcp__*"',
    'outside Build mode',
    'read_file, grep_search, glob, list_directory',
  ])
    expect(message).toContain(part);
});

it('[POL-1] no list is stored as such, in every mode', () => {
  expect(valueOf(resolve('build'))).toEqual({
    policy: { version: 1, kind: 'unrestricted' },
    ceiling: { version: 1, kind: 'none' },
  });
  expect(valueOf(resolve('plan')).policy).toEqual({ version: 1, kind: 'unrestricted' });
  expect(valueOf(resolve('plan')).ceiling.kind).toBe('closed_list');
});

it('an explicit list outside Build mode keeps the ceiling too', () => {
  expect(valueOf(resolve('plan', ['read_file'])).ceiling.kind).toBe('closed_list');
});

it('a listed name that only lower-cases into the closed list is refused', () => {
  expect(rejectionOf(resolve('plan', ['as\u212a_question'])).offenders).toEqual(['as\u212a_question']);
});

it('wire names are bound on the surface of the launch', () => {
  const tool = { server: 'repo.bad', tool: 'read' };
  const forkTools = valueOf(
    parseAllowlist([wireName(tool), 'mcp__repo_bad__read', 'mcp__github__search', 'glob']),
  );
  const surface = resolveSurface([tool, { server: 'github', tool: 'search' }, { name: 'glob' }]);
  expect(valueOf(resolveForkPolicy({ mode: 'build', forkTools, surface })).policy).toMatchObject({
    bindings: [{ wireName: 'mcp__repo_bad__read_pko2hvxghi', ...tool }],
  });
});

describe('[POL-9] a profile', () => {
  const name = valueOf(parseProfileName('ro-research'));
  const file = '---\nname: ro-research\ntools: [read_file, mcp__github__*]\npromptHint: Look only.\n---\n';
  const profile = valueOf(parseProfile(Buffer.from(file), name));

  it('resolves exactly like its list given inline, with its origin beside it', () => {
    const fromProfile = valueOf(resolveForkPolicy({ mode: 'build', profile }));
    const inline = valueOf(resolve('build', ['read_file', 'mcp__github__*']));
    expect(fromProfile).toEqual({
      ...inline,
      provenance: { profile: 'ro-research', contentHash: profile.contentHash },
    });
  });

  it('is held to the mode like its list given inline', () => {
    const inline = rejectionOf(resolve('plan', ['read_file', 'mcp__github__*']));
    expect(rejectionOf(resolveForkPolicy({ mode: 'plan', profile }))).toEqual(inline);
  });

  it('beside a list is a fault of the caller, not a choice between the two', () => {
    expect(() => resolveForkPolicy({ mode: 'build', profile, forkTools: profile.tools })).toThrow(TypeError);
  });
});
