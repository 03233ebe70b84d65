import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CLOSED_CEILING, decideCall, NO_CEILING, type ToolIdentity, UNRESTRICTED } from '#policy';
import type { AgentEvent, EventData, Surface } from '#transcripts';
import { event, metaOf, recordOf, specRuntime, specSurface } from '#transcripts/testing';
import { decodeEvent, evolve } from '#transcripts';
import { bindSurface, type BoundSurface, lastSurface } from './bind-surface.js';
import { type LiveTool, toolFingerprint } from './live-tool.js';
import { surfaceDrift } from './surface-drift.js';

const tool = (identity: ToolIdentity, fields: Partial<LiveTool> = {}): LiveTool => ({
  identity,
  description: 'name' in identity ? identity.name : identity.tool,
  parameters: '{}',
  readOnly: false,
  idempotent: false,
  executable: true,
  ...fields,
});
const read = tool({ name: 'read_file' });
const edit = tool({ name: 'edit' });
const agent = tool({ name: 'agent' });
const search = tool({ server: 'search', tool: 'web' });
const registry = [edit, search, read, agent];
const list = (...entries: readonly string[]) => ({ version: 1, kind: 'list', entries });

type Launched = EventData<'AgentLaunched'>;
const forked = (fields: Partial<Launched> = {}, ...more: readonly AgentEvent[]) =>
  metaOf(event.agentLaunched(fields), ...more);

function bound(
  meta: Parameters<typeof bindSurface>[0],
  tools = registry,
  runtime = specRuntime,
): BoundSurface {
  const result = bindSurface(meta, runtime, tools);
  if (!result.ok) throw new Error(result.detail);
  return result;
}
const executable = (fields: Partial<Launched>, tools = registry) =>
  bound(forked(fields), tools).surface.executable;

describe('the surface is declared by the registry and narrowed by the log', () => {
  it('[T01] no list runs everything that forks run; [], unknown names and foreign patterns run nothing', () => {
    expect(executable({})).toEqual(['edit', 'read_file', 'mcp__search__web']);
    for (const entries of [[], ['nope'], ['nope', 'mcp__none__*']]) {
      expect(executable({ policy: list(...entries) })).toEqual([]);
    }
  });
  it('[POL-8] a fork is shown what its parent was shown, and never runs what forks do not run', () => {
    const { declarations, gate } = bound(forked({ policy: list('agent', 'read_file') }));
    expect(declarations.map(({ name }) => name)).toContain('agent');
    expect(decideCall({ id: 'c', name: 'agent' }, gate)).toMatchObject({ reason: 'forbidden_in_fork' });
  });
  it('[POL-5] ceilings and the bounds of every ancestor narrow', () => {
    expect(executable({ ceiling: CLOSED_CEILING })).toEqual(['read_file']);
    const ancestor = (policy: unknown) => ({ agentId: 'a', policy, ceiling: NO_CEILING });
    const ancestors = [ancestor(UNRESTRICTED), ancestor(list('edit', 'mcp__*'))];
    expect(executable({ ancestors })).toEqual(['edit', 'mcp__search__web']);
    expect(executable({ ancestors, policy: list('read_file') })).toEqual([]);
  });
  it('what may run is the intersection of list and registry, never more, for any list and registry', () => {
    const names = ['read_file', 'edit', 'agent', 'glob', 'mcp__search__web'];
    const live = [...registry, tool({ name: 'glob' })];
    fc.assert(
      fc.property(fc.subarray(names), fc.shuffledSubarray(live), (entries, tools) => {
        const { surface } = bound(forked({ policy: list(...entries) }), tools);
        const offered = surface.declared.filter((name) => name !== 'agent');
        expect(surface.executable).toEqual(offered.filter((name) => entries.includes(name)));
      }),
    );
  });
  it('a tool without an executor here is declared and does not run', () => {
    const hostOnly = tool({ name: 'read_file' }, { executable: false });
    const { gate, surface } = bound(forked(), [hostOnly, edit]);
    expect([surface.declared, surface.executable]).toEqual([['edit', 'read_file'], ['edit']]);
    expect(decideCall({ id: 'c', name: 'read_file' }, gate)).toMatchObject({ reason: 'no_executor' });
  });
  it('what a host declares is declared as it stands; ours run, its own have no executor, and what it left out is not there', () => {
    const declarations = ['z_host', 'read_file', 'mcp__search__web', 'mcp__host__only', 'agent'].map(
      (name) => ({ name, description: `The host says ${name}.`, parameters: '{ "b":1,"a":2 }' }),
    );
    const runtime = { ...specRuntime, declarations };
    const of = (fields: Partial<Launched> = {}) => bound(forked(fields), registry, runtime);
    const reasons = (fields: Partial<Launched>) =>
      Object.fromEntries(
        [...declarations.map(({ name }) => name), 'edit'].map((name) => {
          const decision = decideCall({ id: 'c', name }, of(fields).gate);
          return [name, decision.allowed ? 'runs' : decision.reason];
        }),
      );
    expect(of().declarations).toEqual(declarations);
    expect(of().surface.declared).toEqual(declarations.map(({ name }) => name));
    expect(of().surface.executable).toEqual(['read_file', 'mcp__search__web']);
    const unlisted = { z_host: 'no_executor', agent: 'forbidden_in_fork', edit: 'undeclared' };
    const own = { read_file: 'runs', mcp__search__web: 'runs', mcp__host__only: 'no_executor' };
    expect(reasons({})).toEqual({ ...unlisted, ...own });
    expect(reasons({ policy: list('z_host', 'mcp__host__*', 'edit') })).toEqual({
      z_host: 'no_executor',
      mcp__host__only: 'no_executor',
      read_file: 'not_in_allowlist',
      mcp__search__web: 'not_in_allowlist',
      agent: 'not_in_allowlist',
      edit: 'undeclared',
    });
    const changed = { ...runtime, declarations: declarations.map((it) => ({ ...it, description: 'else' })) };
    expect(of().surface.digest).not.toBe(bound(forked(), registry, changed).surface.digest);
  });
  it('[M01] two tools of ours with one wire name are of no use to a host that declares it', () => {
    const twins = [tool({ name: 'mcp__a__b' }), tool({ server: 'a', tool: 'b' })];
    const declarations = [{ name: 'mcp__a__b', description: '', parameters: '{}' }];
    const { gate, surface } = bound(forked(), twins, { ...specRuntime, declarations });
    expect(decideCall({ id: 'c', name: 'mcp__a__b' }, gate)).toMatchObject({ reason: 'no_executor' });
    expect(surface.withheld).toHaveLength(2);
  });
  it('a subagent is shown the tools of its definition, whatever a host declares', () => {
    const definition = {
      name: 'd',
      tier: 'bundled' as const,
      contentHash: '',
      systemPrompt: '',
      tools: ['read_file'],
      agents: [],
    };
    const declarations = [{ name: 'host', description: '', parameters: '{}' }];
    const meta = forked({ kind: 'subagent', definition });
    const { surface } = bound(meta, registry, { ...specRuntime, declarations });
    expect(surface.declared).toEqual(['read_file']);
  });
  it('[C11] the registry and the runtime of now are declared: what is gone is not, what is new is', () => {
    const runtime = { ...specRuntime, builtinTools: ['edit'] };
    expect(bound(forked(), registry, runtime).surface.declared).toEqual(['edit', 'mcp__search__web']);
  });
  it('a subagent declares the tools of its definition and no server’s', () => {
    const definition = {
      name: 'd',
      tier: 'bundled',
      contentHash: '',
      systemPrompt: '',
      tools: ['read_file'],
      agents: [],
    } as const;
    const meta = forked({
      kind: 'subagent',
      definition: { ...definition, tools: ['read_file'], agents: [] },
    });
    expect(bound(meta).surface.declared).toEqual(['read_file']);
  });
  it('a tool of a server that may not register is withheld and reported, and no other is', () => {
    const { surface } = bound(forked(), [read, tool({ server: '_bad', tool: 't' })]);
    expect(surface.declared).toEqual(['read_file']);
    expect(surface.withheld).toEqual([{ name: 'mcp___bad__t', reason: 'server_name' }]);
  });
  it('[P01] the order of declarations is canonical, whatever order tools were registered in', () => {
    const many = [...registry, tool({ server: 'a', tool: 'z' }), tool({ server: 'search', tool: 'a' })];
    const canonical = JSON.stringify(bound(forked(), many).declarations);
    fc.assert(
      fc.property(fc.shuffledSubarray(many, { minLength: many.length }), (shuffled) => {
        const { declarations, surface } = bound(forked(), shuffled);
        expect(JSON.stringify(declarations)).toBe(canonical);
        expect(surface.digest).toBe(bound(forked(), many).surface.digest);
      }),
    );
    expect(bound(forked(), many).surface.declared).toEqual([
      'agent',
      'edit',
      'read_file',
      'mcp__a__z',
      'mcp__search__a',
      'mcp__search__web',
    ]);
  });
});

describe('[POL-6] what cannot be read blocks', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['absent', undefined],
    ['a bare list', ['read_file']],
    ['text', 'unrestricted'],
    ['an unknown kind', { version: 1, kind: 'everything' }],
    ['a newer version', { version: 2, kind: 'unrestricted' }],
    ['an extra field', { version: 1, kind: 'unrestricted', except: ['edit'] }],
    ['a list that is none', { version: 1, kind: 'list', entries: 'read_file' }],
    ['a list that no launch accepts', { version: 1, kind: 'list', entries: ['*'] }],
    ['the shape of a sidecar', { executionAllowedTools: ['read_file'] }],
  ])('[T04] a policy that is %s, its own or an ancestor’s', (_what, policy) => {
    const unreadable = { ok: false, reason: 'policy_unreadable' };
    const ancestors = [{ agentId: 'a', policy, ceiling: NO_CEILING }];
    expect(bindSurface(forked({ policy }), specRuntime, registry)).toMatchObject(unreadable);
    expect(bindSurface(forked({ ancestors }), specRuntime, registry)).toMatchObject(unreadable);
  });
  it.each<[string, unknown]>([
    ['null', null],
    ['absent', undefined],
    ['a policy', UNRESTRICTED],
    ['an unknown kind', { version: 1, kind: 'build' }],
    ['a list of none', { version: 1, kind: 'closed_list', names: 'read_file' }],
  ])('a ceiling that is %s', (_what, ceiling) => {
    expect(bindSurface(forked({ ceiling }), specRuntime, registry)).toMatchObject({
      reason: 'policy_unreadable',
    });
  });
  it('[E19] an unknown event that states a policy', () => {
    const unknown = { ...recordOf(event.messageQueued(), 2), type: 'PolicyNarrowed' };
    const meta = evolve(forked(), decodeEvent(unknown));
    expect(bindSurface(meta, specRuntime, registry)).toMatchObject({ reason: 'policy_unreadable' });
  });
  it('a fork without its launch facts', () => {
    expect(bindSurface({ ...forked(), launch: null }, specRuntime, registry)).toMatchObject({
      reason: 'policy_unreadable',
    });
  });
});

describe('tools that are gone', () => {
  const ran = (...declared: readonly string[]) =>
    event.runStarted({
      surface: { ...specSurface, declared: [...declared], fingerprints: declared.map(() => 'x') },
    });

  it('an agent of whose surface nothing is left is blocked, also when there are other tools now', () => {
    const meta = forked({}, ran('glob', 'mcp__gone__t'));
    expect(bindSurface(meta, specRuntime, registry)).toMatchObject({ ok: false, reason: 'no_tools_left' });
    expect(bindSurface(forked({}, ran('glob', 'edit')), specRuntime, registry).ok).toBe(true);
    expect(bindSurface(forked({}, ran()), specRuntime, registry).ok).toBe(true);
  });
  it('a session has the tools that its runtime says, even none', () => {
    const session = metaOf(event.sessionOpened(), ran('glob'));
    expect(bindSurface(session, { ...specRuntime, builtinTools: [] }, [read]).ok).toBe(true);
  });
});

describe('drift', () => {
  const surfaceOf = (tools: readonly LiveTool[], fields: Partial<Launched> = {}): Surface =>
    bound(forked(fields), [...tools]).surface;
  const driftTo = (tools: readonly LiveTool[], fields: Partial<Launched> = {}) =>
    surfaceDrift(surfaceOf([read, edit, search], fields), surfaceOf(tools, fields));

  it('nothing before the first run, and nothing where nothing changed', () => {
    expect(surfaceDrift(null, surfaceOf([read]))).toBeNull();
    expect(driftTo([search, edit, read])).toBeNull();
  });
  it('lost, changed, new and granted, new and not granted are told apart', () => {
    const changed = tool({ name: 'edit' }, { parameters: '{"type":"object"}' });
    const policy = list('read_file', 'edit', 'mcp__new__*');
    const drift = driftTo([changed, search, tool({ server: 'new', tool: 'in' }), tool({ name: 'glob' })], {
      policy,
    });
    expect(drift).toEqual({
      lost: ['read_file'],
      changed: ['edit'],
      granted: ['mcp__new__in'],
      notGranted: ['glob'],
      renamed: [],
    });
  });
  it('a tool under another identity is reported as renamed, once, and is not granted for it', () => {
    const moved = tool({ server: 'engine', tool: 'web' });
    const copy = tool({ server: 'other', tool: 'web' });
    const drift = driftTo([read, edit, moved, copy], { policy: list('mcp__search__web') });
    expect(drift).toMatchObject({
      renamed: [{ from: 'mcp__search__web', to: 'mcp__engine__web' }],
      granted: [],
      notGranted: ['mcp__engine__web', 'mcp__other__web'],
    });
  });
  it('a run records its drift against the run before', () => {
    const meta = forked({}, event.runStarted({ surface: surfaceOf([read, edit]) }));
    expect(bound(meta, [read]).surface.drift).toMatchObject({ lost: ['edit'] });
  });
  it('the recorded surface says again which identities it had', () => {
    const meta = forked({}, event.runStarted({ surface: surfaceOf([read, search]) }));
    expect([...(lastSurface(meta)?.declared ?? [])]).toEqual([
      ['read_file', { name: 'read_file' }],
      ['mcp__search__web', { server: 'search', tool: 'web' }],
    ]);
    expect(lastSurface(forked())).toBeNull();
  });
  it('a fingerprint sees description and schema and nothing else', () => {
    expect(toolFingerprint(read)).toBe(toolFingerprint({ ...read, ...{ executable: false } }));
    expect(toolFingerprint(read)).not.toBe(toolFingerprint({ ...read, parameters: '{"a":1}' }));
    expect(toolFingerprint({ description: 'a', parameters: 'b' })).not.toBe(
      toolFingerprint({ description: 'ab', parameters: '' }),
    );
  });
});
