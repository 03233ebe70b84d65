import { createHash } from 'node:crypto';
import {
  type AgentBounds,
  ASK_PARENT_TOOL,
  compileGate,
  type Gate,
  NO_CEILING,
  parseCeiling,
  parseStoredPolicy,
  resolveSurface,
  type ToolIdentity,
  type ToolSurface,
  UNRESTRICTED,
  wireName,
} from '#policy';
import type { AgentMeta, Declaration, Runtime, Surface } from '#transcripts';
import { hostDeclarations, hostTools } from './host-declarations.js';
import { type LiveTool, toolFingerprint } from './live-tool.js';
import { surfaceDrift } from './surface-drift.js';

/** Everything a run holds of its tools: what to declare, what to ask before each call, what to record. */
export interface BoundSurface {
  readonly ok: true;
  readonly declarations: readonly Declaration[];
  readonly gate: Gate;
  /** The declared tools by the name that is called: the identity that the gate checked is the one that is executed. */
  readonly tools: ReadonlyMap<string, LiveTool>;
  readonly surface: Surface;
}

/** Why an agent may not run; recorded as `RevivalBlocked`, never widened into "no restriction" (POL-6). */
export interface UnboundSurface {
  readonly ok: false;
  readonly reason: 'policy_unreadable' | 'no_tools_left';
  readonly detail: string;
}

/**
 * The one function behind launch and revival (spec 03 §4): capabilities come from the live registry and the parent's
 * current runtime, restrictions from the log; what may run is their intersection. Pure.
 */
export function bindSurface(
  meta: AgentMeta,
  runtime: Runtime,
  registry: readonly LiveTool[],
): BoundSurface | UnboundSurface {
  const bounds = readBounds(meta);
  if (!bounds.ok) return bounds;
  const offered = offeredTools(meta, runtime, registry);
  const ours = resolveSurface(offered.map((tool) => tool.identity));
  const host = hostDeclarations(meta, runtime);
  const oursByName = declaredTools(ours, offered);
  const tools = host === null ? oursByName : hostTools(host, oursByName);
  const identities = new Map([...tools].map(([name, { identity }]) => [name, identity]));
  const gate = compileGate({
    kind: meta.kind,
    surface: { declared: identities, withheld: ours.withheld },
    policy: bounds.own.policy,
    ceiling: bounds.own.ceiling,
    ancestors: bounds.ancestors,
    executable: (identity) => tools.get(wireName(identity))?.executable === true,
  });
  if (hasLostItsTools(meta, tools)) {
    return {
      ok: false,
      reason: 'no_tools_left',
      detail: 'No tool of the surface it ran with exists any more.',
    };
  }
  const declarations = host ?? [...tools].map(declarationOf);
  const { withheld } = ours;
  return {
    ok: true,
    gate,
    tools,
    declarations,
    surface: recordedSurface(meta, { tools, declarations, withheld, gate }),
  };
}

const declarationOf = ([name, { description, parameters }]: readonly [string, LiveTool]): Declaration => ({
  name,
  description,
  parameters,
});

/** Only a launched agent depends on tools that its parent had; a session's tools are what its runtime says now. */
function hasLostItsTools(meta: AgentMeta, tools: ReadonlyMap<string, LiveTool>): boolean {
  if (meta.launch === null || meta.surface === null || meta.surface.declared.length === 0) return false;
  return !meta.surface.declared.some((name) => tools.has(name));
}

/** Built-ins by name, then MCP tools by raw identity: one order, whoever registered or connected first (P01). */
function offeredTools(meta: AgentMeta, runtime: Runtime, registry: readonly LiveTool[]): readonly LiveTool[] {
  const definition = meta.launch?.definition ?? null;
  const wanted = definition === null ? runtime.builtinTools : definition.tools;
  const names = wanted === 'all' ? null : new Set(wanted);
  const offered = registry.filter(({ identity }) => {
    if (!('name' in identity)) return definition === null;
    // Only what was launched from a definition has a parent to ask.
    if (identity.name === ASK_PARENT_TOOL && definition === null) return false;
    return names?.has(identity.name) ?? true;
  });
  return offered.sort((a, b) => compareParts(orderOf(a.identity), orderOf(b.identity)));
}

function orderOf(identity: ToolIdentity): readonly string[] {
  return 'name' in identity ? ['builtin', identity.name] : ['mcp', identity.server, identity.tool];
}

function compareParts(left: readonly string[], right: readonly string[]): number {
  const at = left.findIndex((part, index) => part !== right[index]);
  return (left[at] ?? '') < (right[at] ?? '') ? -1 : Number(at !== -1);
}

type Bounds =
  | { readonly ok: true; readonly own: AgentBounds; readonly ancestors: readonly AgentBounds[] }
  | UnboundSurface;

function readBounds(meta: AgentMeta): Bounds {
  if (meta.unreadablePolicy !== null)
    return unreadable(
      `An event of type ${meta.unreadablePolicy} states a policy that this release cannot read.`,
    );
  if (meta.launch === null) {
    if (meta.kind !== 'session') return unreadable('The launch facts are missing.');
    return { ok: true, own: { policy: UNRESTRICTED, ceiling: NO_CEILING }, ancestors: [] };
  }
  const own = readPair(meta.launch);
  if (!own.ok) return own;
  const ancestors: AgentBounds[] = [];
  // Recorded outermost first; the gate counts from the parent upwards.
  for (const ancestor of [...meta.launch.ancestors].reverse()) {
    const pair = readPair(ancestor);
    if (!pair.ok) return pair;
    ancestors.push(pair.bounds);
  }
  return { ok: true, own: own.bounds, ancestors };
}

function readPair(stored: {
  policy?: unknown;
  ceiling?: unknown;
}): { ok: true; bounds: AgentBounds } | UnboundSurface {
  const policy = parseStoredPolicy(stored.policy);
  if (!policy.ok) return unreadable(policy.rejection.message);
  const ceiling = parseCeiling(stored.ceiling);
  if (!ceiling.ok) return unreadable(ceiling.rejection.message);
  return { ok: true, bounds: { policy: policy.value, ceiling: ceiling.value } };
}

const unreadable = (detail: string): UnboundSurface => ({ ok: false, reason: 'policy_unreadable', detail });

function declaredTools(resolved: ToolSurface, offered: readonly LiveTool[]): ReadonlyMap<string, LiveTool> {
  const byName = new Map(offered.map((tool) => [wireName(tool.identity), tool]));
  const tools = new Map<string, LiveTool>();
  for (const name of resolved.declared.keys()) {
    const tool = byName.get(name);
    if (tool !== undefined) tools.set(name, tool);
  }
  return tools;
}

interface FoundSurface extends Pick<BoundSurface, 'tools' | 'declarations' | 'gate'> {
  readonly withheld: ToolSurface['withheld'];
}

function recordedSurface(meta: AgentMeta, found: FoundSurface): Surface {
  const { tools, gate } = found;
  const declared = [...tools.keys()];
  const shown = new Map(found.declarations.map((declaration) => [declaration.name, declaration]));
  const fingerprints = [...tools].map(([name, tool]) => toolFingerprint(shown.get(name) ?? tool));
  const executable = [...gate.executable()];
  const withheld = found.withheld.map((tool) => ({ name: tool.wireName, reason: tool.reason }));
  const digest = createHash('sha256')
    .update(JSON.stringify([declared, fingerprints]))
    .digest('base64url')
    .slice(0, 22);
  const mcp = [...tools].flatMap(([name, { identity }]) =>
    'server' in identity ? [{ name, server: identity.server, tool: identity.tool }] : [],
  );
  return {
    digest,
    declared,
    fingerprints,
    mcp,
    executable,
    withheld,
    drift: surfaceDrift(meta.surface, { declared, fingerprints, executable }),
  };
}

/** The surface that an agent last ran with, as the log recorded it; null before its first run. */
export function lastSurface(meta: AgentMeta): ToolSurface | null {
  if (meta.surface === null) return null;
  const mcp = new Map(meta.surface.mcp.map(({ name, server, tool }) => [name, { server, tool }]));
  return {
    declared: new Map(meta.surface.declared.map((name) => [name, mcp.get(name) ?? { name }])),
    withheld: [],
  };
}
