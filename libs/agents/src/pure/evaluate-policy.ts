import {
  type AgentBounds,
  type Allowlist,
  BROWSER_PROXY_BUILD_TOOLS,
  type Ceiling,
  compileGate,
  type Profile,
  type RefusalReason,
  resolveForkPolicy,
  resolveSubagentPolicy,
  type Result,
  type StoredPolicy,
  type ToolSurface,
} from '#policy';

interface Asked {
  /** Workflow mode of the launch; anything but the exact `build` is restricted. */
  readonly mode: string;
  /** The tools that exist where it would be launched. */
  readonly surface: ToolSurface;
  /** Wire names, as a model would call them. */
  readonly calls: readonly string[];
  /** Bounds of the agents above it, from its parent upwards. */
  readonly ancestors?: readonly AgentBounds[];
}

/** A fork that might be launched; at most one of list and profile. Neither is "no restriction" (POL-1). */
export interface ForkQuestion extends Asked {
  readonly kind: 'fork';
  readonly forkTools?: Allowlist;
  readonly profile?: Profile;
}

/** An agent that might be launched from a definition with these tools, as written. */
export interface SubagentQuestion extends Asked {
  readonly kind: 'subagent';
  readonly tools: readonly string[];
}

export type PolicyQuestion = ForkQuestion | SubagentQuestion;

/** What the gate would say to one call; `reason` is null exactly when it is allowed. */
export interface CallVerdict {
  readonly call: string;
  readonly allowed: boolean;
  readonly reason: RefusalReason | null;
}

/** What would be stored at the launch, what the agent would be shown, and the gate's answer to each call. */
export interface PolicyEvaluation {
  readonly policy: StoredPolicy;
  readonly ceiling: Ceiling;
  readonly surface: ToolSurface;
  readonly verdicts: readonly CallVerdict[];
}

interface Resolved {
  readonly policy: StoredPolicy;
  readonly ceiling: Ceiling;
  readonly surface: ToolSurface;
}

/**
 * Answers what a launch would be allowed, with the functions that a launch itself uses (spec 05 §1): the same rejections, the same
 * gate. Executors, hooks and permissions are not asked, so an allowed call may still be denied. Pure.
 */
export function evaluatePolicy(question: PolicyQuestion): Result<PolicyEvaluation> {
  const resolved = question.kind === 'fork' ? resolveFork(question) : resolveSubagent(question);
  if (!resolved.ok) return resolved;
  const { policy, ceiling, surface } = resolved.value;
  const { kind, calls, ancestors = [] } = question;
  const gate = compileGate({ kind, surface, policy, ceiling, ancestors });
  const verdicts = calls.map((call): CallVerdict => {
    const decision = gate.decide(call);
    return { call, allowed: decision.allowed, reason: decision.allowed ? null : decision.reason };
  });
  return { ok: true, value: { policy, ceiling, surface, verdicts } };
}

function resolveFork({ mode, surface, forkTools, profile }: ForkQuestion): Result<Resolved> {
  const resolved = resolveForkPolicy({
    mode,
    surface,
    ...(forkTools === undefined ? {} : { forkTools }),
    ...(profile === undefined ? {} : { profile }),
  });
  return resolved.ok ? { ok: true, value: { ...resolved.value, surface } } : resolved;
}

/** Nothing but the tools says what child agents it would have, so it has none; a browser is there when its tools are. */
function resolveSubagent({ mode, surface, tools }: SubagentQuestion): Result<Resolved> {
  const hasBrowser = BROWSER_PROXY_BUILD_TOOLS.some((name) => surface.declared.has(name));
  const resolved = resolveSubagentPolicy({ mode, definition: '', tools, mayLaunch: false, hasBrowser });
  if (!resolved.ok) return resolved;
  const { policy, ceiling, tools: own } = resolved.value;
  return { ok: true, value: { policy, ceiling, surface: declaredTo(own, surface) } };
}

/** A subagent is shown the built-ins of its effective set and no others; MCP tools are for sessions and forks. */
function declaredTo(tools: readonly string[], { declared, withheld }: ToolSurface): ToolSurface {
  const names = new Set(tools);
  const shown = [...declared].filter(([, tool]) => 'name' in tool && names.has(tool.name));
  return {
    declared: new Map(shown),
    withheld: withheld.filter(({ identity }) => 'server' in identity || names.has(identity.name)),
  };
}
