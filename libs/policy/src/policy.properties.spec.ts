import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseAllowlist } from './allowlist/parse-allowlist.js';
import { type AgentBounds, compileGate, type Gate } from './gate/compile-gate.js';
import { resolveForkPolicy } from './launch/resolve-fork-policy.js';
import { resolveSubagentPolicy } from './launch/resolve-subagent-policy.js';
import { isRegistrableServer } from './server-name.js';
import { bindWireNames } from './stored/bind-wire-names.js';
import { CLOSED_CEILING, NO_CEILING } from './stored/ceiling.js';
import { listPolicy } from './stored/list-policy.js';
import { parseStoredPolicy } from './stored/parse-stored-policy.js';
import { type StoredPolicy, UNRESTRICTED } from './stored/stored-policy.js';
import { resolveSurface, type ToolSurface } from './surface/resolve-surface.js';
import { isMcpTool, isSameTool, rawForm, type ToolIdentity } from './tool-identity.js';
import { CLOSED_LIST } from './toolset/read-only-tools.js';
import { CLOSED_REGISTRY_NAMES, REGISTRY_NAMES } from './toolset/registry-name.js';
import { wireName } from './wire-name.js';

const runs = { numRuns: 10_000 };

// Small alphabets on purpose: collisions, shared prefixes and look-alikes are the rule, not the exception.
const part = fc.string({ unit: fc.constantFrom('a', 'b', '_', '__', '.', '/', '*', '研'), maxLength: 4 });
const builtIn = fc
  .oneof(
    fc.constantFrom(
      'read_file',
      'glob',
      'edit',
      'agent',
      'read',
      'bash',
      '__proto__',
      'ask_question',
      'mcp__a',
    ),
    part,
  )
  .map((name): ToolIdentity => ({ name }));
const mcpTool = fc.record({ server: part, tool: fc.oneof(part, fc.constant('agent')) });
const anyTool: fc.Arbitrary<ToolIdentity> = fc.oneof(builtIn, mcpTool);
const anyTools = fc.array(anyTool, { maxLength: 8 });

const entry = fc.oneof(
  anyTool.map(rawForm),
  anyTool.map(wireName),
  part.map((server) => `mcp__${server}`),
  fc.tuple(part, part).map(([server, prefix]) => `mcp__${server}__${prefix}*`),
  fc.constantFrom('mcp__*', 'READ_FILE', 'grep', 'subagent'),
);
const entries = fc
  .array(entry, { maxLength: 5 })
  .map((given) => given.filter((text) => parseAllowlist([text]).ok));

function listOf(given: readonly string[], surface: ToolSurface): StoredPolicy {
  const parsed = parseAllowlist(given);
  if (!parsed.ok) throw new Error(parsed.rejection.message);
  return listPolicy(parsed.value, bindWireNames(parsed.value, surface));
}

const boundsOn = (surface: ToolSurface): fc.Arbitrary<AgentBounds> =>
  fc.record({
    policy: fc.oneof(
      fc.constant(UNRESTRICTED),
      entries.map((given) => listOf(given, surface)),
    ),
    ceiling: fc.constantFrom(NO_CEILING, CLOSED_CEILING),
  });

const kinds = fc.constantFrom('session' as const, 'fork' as const, 'subagent' as const);
const executableSet = (gate: Gate) => new Set(gate.executable());

it('[POL-5] adding any layer never enlarges the executable set', () => {
  const scene = anyTools.chain((tools) => {
    const surface = resolveSurface(tools);
    return fc.record({
      surface: fc.constant(surface),
      own: boundsOn(surface),
      ancestors: fc.array(boundsOn(surface), { maxLength: 2 }),
      more: boundsOn(surface),
      kind: kinds,
    });
  });
  fc.assert(
    fc.property(scene, ({ surface, own, ancestors, more, kind }) => {
      const before = executableSet(compileGate({ kind, surface, ...own, ancestors }));
      const narrowed = [
        compileGate({ kind, surface, ...own, ancestors: [...ancestors, more] }),
        compileGate({ kind, surface, ...own, ancestors: [more, ...ancestors] }),
        compileGate({ kind, surface, ...own, ancestors, ceiling: CLOSED_CEILING }),
        compileGate({ kind, surface, ...own, ancestors, executable: isMcpTool }),
      ];
      return narrowed.every((gate) => gate.executable().every((name) => before.has(name)));
    }),
    runs,
  );
});

it('[POL-5] whatever is executable is declared, and is the tool that was declared under that name', () => {
  const scene = anyTools.chain((tools) => {
    const surface = resolveSurface(tools);
    return fc.tuple(fc.constant(surface), boundsOn(surface), fc.array(fc.oneof(part, anyTool.map(wireName))));
  });
  fc.assert(
    fc.property(scene, ([surface, own, called]) => {
      const gate = compileGate({ kind: 'fork', surface, ...own });
      const executable = executableSet(gate);
      return [...called, ...surface.declared.keys()].every((name) => {
        const decision = gate.decide(name);
        return decision.identity === surface.declared.get(name) && executable.has(name) === decision.allowed;
      });
    }),
    runs,
  );
});

/** The meaning of a raw entry, written once more and naively, straight from the contract. */
function matchesRaw(text: string, tool: ToolIdentity): boolean {
  if (!isMcpTool(tool)) return !text.includes('*') && text === tool.name;
  if (text === 'mcp__*' || text === `mcp__${tool.server}` || text === rawForm(tool)) return true;
  const opening = `mcp__${tool.server}__`;
  return text.endsWith('*') && text.startsWith(opening) && rawForm(tool).startsWith(text.slice(0, -1));
}

it('[POL-6] arbitrary JSON as stored policy is refused, or runs only what its entries match', () => {
  const noise = fc.jsonValue({ maxDepth: 3 });
  const stored = fc.oneof(
    noise,
    fc.record(
      {
        kind: fc.oneof(fc.constantFrom('list', 'unrestricted', 'deny'), noise),
        entries: fc.oneof(entries, noise),
        version: fc.oneof(fc.constant(1), noise),
        bindings: noise,
      },
      { requiredKeys: [] },
    ),
    fc.record({
      kind: fc.constant('list'),
      entries: fc.oneof(entries, fc.array(fc.oneof(entry, noise), { maxLength: 4 })),
    }),
  );
  fc.assert(
    fc.property(stored, anyTools, (value, tools) => {
      const policy = parseStoredPolicy(value);
      if (!policy.ok) return true;
      const surface = resolveSurface(tools);
      const gate = compileGate({ kind: 'session', surface, policy: policy.value, ceiling: NO_CEILING });
      const given = value as { kind: unknown; entries?: string[] };
      if (policy.value.kind === 'unrestricted') return given.kind === 'unrestricted' && !('entries' in given);
      return [...surface.declared].every(([name, tool]) => {
        const isMatched = given.entries?.some((text) => matchesRaw(text, tool)) ?? false;
        return gate.decide(name).allowed === isMatched;
      });
    }),
    runs,
  );
});

it('[POL-7] an entry that names one MCP tool, raw or by its bound wire name, never runs another, then or later', () => {
  const registrable = mcpTool.filter(
    ({ server, tool }) => isRegistrableServer(server) && !tool.includes('*'),
  );
  fc.assert(
    fc.property(registrable, registrable, fc.boolean(), (meant, other, isRaw) => {
      const text = isRaw ? rawForm(meant) : wireName(meant);
      if (!parseAllowlist([text]).ok) return true;
      const policy = listOf([text], resolveSurface([meant]));
      return [[meant, other], [other, meant], [other]].every((tools) => {
        const surface = resolveSurface(tools);
        const gate = compileGate({ kind: 'fork', surface, policy, ceiling: NO_CEILING });
        return gate
          .executable()
          .every((name) => isSameTool(surface.declared.get(name) ?? { name: '' }, meant));
      });
    }),
    runs,
  );
});

function serverOf(tool: ToolIdentity | undefined): string | null {
  return tool !== undefined && isMcpTool(tool) ? tool.server : null;
}

it('[POL-7] a server entry or prefix never reaches another server', () => {
  const registrable = part.filter(isRegistrableServer);
  fc.assert(
    fc.property(registrable, part, anyTools, (server, prefix, tools) => {
      const given = [`mcp__${server}`, `mcp__${server}__${prefix}*`].filter(
        (text) => parseAllowlist([text]).ok,
      );
      const surface = resolveSurface(tools.filter(isMcpTool));
      const gate = compileGate({
        kind: 'fork',
        surface,
        policy: listOf(given, surface),
        ceiling: NO_CEILING,
      });
      return gate.executable().every((name) => serverOf(surface.declared.get(name)) === server);
    }),
    runs,
  );
});

it('[POL-6] a stored policy is printed and parsed to itself', () => {
  const scene = anyTools.chain((tools) => boundsOn(resolveSurface(tools)));
  fc.assert(
    fc.property(scene, ({ policy }) => {
      const text = JSON.stringify(policy);
      const parsed = parseStoredPolicy(JSON.parse(text));
      return parsed.ok && JSON.stringify(parsed.value) === text;
    }),
    runs,
  );
});

it('[POL-10] a fork admitted outside Build mode runs nothing but built-ins of the closed list', () => {
  const mode = fc.oneof(fc.constantFrom('off', 'plan', 'review', 'Build', 'build '), fc.string());
  const list = fc.option(fc.oneof(entries, fc.subarray([...CLOSED_REGISTRY_NAMES, 'read', 'GLOB'])), {
    nil: undefined,
  });
  const tools = anyTools.map((given) => [...given, ...CLOSED_REGISTRY_NAMES.map((name) => ({ name }))]);
  fc.assert(
    fc.property(
      mode.filter((text) => text !== 'build'),
      list,
      tools,
      (name, given, declared) => {
        const surface = resolveSurface(declared);
        const forkTools = given === undefined ? undefined : parseAllowlist(given);
        if (forkTools?.ok === false) return true;
        const resolved = resolveForkPolicy({
          mode: name,
          surface,
          ...(forkTools ? { forkTools: forkTools.value } : {}),
        });
        if (!resolved.ok) return true;
        const gate = compileGate({ kind: 'fork', surface, ...resolved.value });
        return gate.executable().every((called) => CLOSED_REGISTRY_NAMES.includes(called));
      },
    ),
    runs,
  );
});

it('[POL-10] an agent admitted from a definition outside Build mode runs nothing but the closed list', () => {
  const spelled = fc.oneof(
    fc.constantFrom(...CLOSED_LIST, ...REGISTRY_NAMES.keys(), ...REGISTRY_NAMES.values()),
    fc.constantFrom(' READ ', 'Bash', 'grep\u212A', 'browser_eval', 'mcp__a__b', '__proto__', 'read,bash'),
    fc.string({ maxLength: 6 }),
  );
  const launch = fc.record({
    mode: fc.oneof(fc.constantFrom('off', 'plan', 'review', 'Build', 'build '), fc.string()),
    definition: fc.constantFrom('explorer', 'worker', 'other'),
    tools: fc.array(spelled, { maxLength: 5 }),
    mayLaunch: fc.boolean(),
    hasBrowser: fc.boolean(),
  });
  const admitted = new Set<boolean>();
  fc.assert(
    fc.property(
      launch.filter(({ mode }) => mode !== 'build'),
      (input) => {
        const resolved = resolveSubagentPolicy(input);
        admitted.add(resolved.ok);
        return !resolved.ok || resolved.value.tools.every((name) => CLOSED_REGISTRY_NAMES.includes(name));
      },
    ),
    runs,
  );
  expect(admitted).toEqual(new Set([true, false]));
});
