import { type Ceiling, ceilingNames } from '../stored/ceiling.js';
import type { StoredPolicy } from '../stored/stored-policy.js';
import type { ToolSurface } from '../surface/resolve-surface.js';
import { isMcpTool, type ToolIdentity } from '../tool-identity.js';
import type { AllowRule, GateDecision, RefusedDecision } from './decision.js';
import { ExecutionAllowlist } from './execution-allowlist.js';
import { RefusalReason } from './refusal-reason.js';

/** What an agent is; forks have built-ins that they never run. */
export type AgentKind = 'session' | 'fork' | 'subagent';

/** The bounds that one agent was launched with. */
export interface AgentBounds {
  readonly policy: StoredPolicy;
  readonly ceiling: Ceiling;
}

/** What a gate is compiled from. `ancestors` runs from the parent upwards; `executable` says that a tool has an executor here. */
export interface GateInput extends AgentBounds {
  readonly kind: AgentKind;
  readonly surface: ToolSurface;
  readonly ancestors?: readonly AgentBounds[];
  readonly executable?: (identity: ToolIdentity) => boolean;
}

/** The compiled gate of one run over one surface. Immutable; a changed surface needs a new gate. */
export interface Gate {
  readonly kind: AgentKind;
  /** Judges one called name by one map lookup. Names match by exact code units. */
  decide(wireName: string): GateDecision;
  /** The wire names that `decide` allows, in declaration order. */
  executable(): readonly string[];
}

/** The built-ins that no fork runs, whatever its list says (POL-8). An MCP tool of such a name is another tool. */
export const FORBIDDEN_IN_FORK = Object.freeze([
  'agent',
  'send_message',
  'task_stop',
  'ask_user_question',
] as const);

interface Layer {
  readonly allowlist: ExecutionAllowlist | null;
  readonly ceiling: ReadonlySet<string> | null;
}

const forbiddenInFork: ReadonlySet<string> = new Set(FORBIDDEN_IN_FORK);
const UNDECLARED: RefusedDecision = Object.freeze({
  allowed: false,
  reason: RefusalReason.UNDECLARED,
  layer: 0,
});

/**
 * Compiles the bounds of an agent and of its ancestors against a surface, once per run (spec 02 §2, §3). Every declared tool is
 * judged in the fixed order: lists, forbidden in the kind, ceilings, executor. Layers only narrow (POL-5). Throws only for a
 * policy that did not come from `parseStoredPolicy` or a constructor of this library.
 */
export function compileGate(input: GateInput): Gate {
  const layers = [{ policy: input.policy, ceiling: input.ceiling }, ...(input.ancestors ?? [])].map(
    compileLayer,
  );
  const decisions = new Map<string, GateDecision>();
  for (const [name, identity] of input.surface.declared) {
    decisions.set(name, Object.freeze(judge(identity, layers, input)));
  }
  const executable = Object.freeze(
    [...decisions].filter(([, decision]) => decision.allowed).map(([name]) => name),
  );
  return Object.freeze({
    kind: input.kind,
    decide: (wireName: string) => decisions.get(wireName) ?? UNDECLARED,
    executable: () => executable,
  });
}

function compileLayer(bounds: AgentBounds): Layer {
  return { allowlist: compileAllowlist(bounds.policy), ceiling: ceilingNames(bounds.ceiling) };
}

function compileAllowlist(policy: StoredPolicy): ExecutionAllowlist | null {
  switch (policy.kind) {
    case 'unrestricted':
      return null;
    case 'list':
      return new ExecutionAllowlist(policy);
  }
}

function judge(identity: ToolIdentity, layers: readonly Layer[], input: GateInput): GateDecision {
  const refusal =
    outsideLists(identity, layers) ??
    forbiddenInKind(identity, input.kind) ??
    outsideCeilings(identity, layers) ??
    withoutExecutor(identity, input);
  if (refusal !== null) return refusal;
  return { allowed: true, identity, rule: ruleOf(identity, layers) };
}

function outsideLists(identity: ToolIdentity, layers: readonly Layer[]): RefusedDecision | null {
  for (const [layer, { allowlist }] of layers.entries()) {
    if (allowlist === null || allowlist.entryFor(identity) !== null) continue;
    const reason = allowlist.isEmpty ? RefusalReason.DENY_ALL : RefusalReason.NOT_IN_ALLOWLIST;
    return { allowed: false, identity, reason, layer };
  }
  return null;
}

function forbiddenInKind(identity: ToolIdentity, kind: AgentKind): RefusedDecision | null {
  if (kind !== 'fork' || isMcpTool(identity) || !forbiddenInFork.has(identity.name)) return null;
  return { allowed: false, identity, reason: RefusalReason.FORBIDDEN_IN_FORK, layer: 0 };
}

function outsideCeilings(identity: ToolIdentity, layers: readonly Layer[]): RefusedDecision | null {
  for (const [layer, { ceiling }] of layers.entries()) {
    if (ceiling === null) continue;
    if (!isMcpTool(identity) && ceiling.has(identity.name)) continue;
    return { allowed: false, identity, reason: RefusalReason.BLOCKED_BY_MODE, layer };
  }
  return null;
}

function withoutExecutor(identity: ToolIdentity, input: GateInput): RefusedDecision | null {
  if (input.executable?.(identity) ?? true) return null;
  return { allowed: false, identity, reason: RefusalReason.NO_EXECUTOR, layer: 0 };
}

function ruleOf(identity: ToolIdentity, layers: readonly Layer[]): AllowRule {
  for (const { allowlist } of layers) {
    const entry = allowlist?.entryFor(identity) ?? null;
    if (entry !== null) return { kind: 'entry', entry };
  }
  return { kind: 'unrestricted' };
}
