import { parseCeiling, parseStoredPolicy } from '#policy';
import { limitsOf } from '#agents';
import type { AgentMeta, Limits } from '#transcripts';

/** An agent as the API shows it (spec 05 §9). */
export type AgentView = AgentSummary & {
  readonly surface: AgentMeta['surface'];
  readonly outcome: AgentMeta['outcome'];
};

/** An agent in a list: without surface and outcome text. */
export type AgentSummary = ReturnType<typeof agentSummary>;

/** `maxima` are the operator's: an agent is shown with the limits that it is held to, not only those that its launch asked for. */
export function agentView(meta: AgentMeta, maxima: Required<Limits>): AgentView {
  return {
    ...agentSummary(meta),
    limits: limitsOf(meta, maxima),
    surface: meta.surface,
    outcome: meta.outcome,
  };
}

/** The facts of a fold in the names of the API. Pure. */
export function agentSummary(meta: AgentMeta) {
  const policy = policyView(meta);
  return {
    id: meta.agentId,
    kind: meta.kind,
    ...lineageView(meta),
    status: meta.status,
    policy,
    ...(policy.kind === 'list' ? { executionAllowedTools: policy.entries } : {}),
    ceiling: ceilingView(meta),
    run: meta.run === null ? null : { id: meta.run.runId, epoch: meta.run.epoch, worker: meta.run.workerId },
    epoch: meta.epoch,
    activation: meta.activation,
    usage: usageView(meta),
    limits: meta.limits,
    refusals: meta.refusals,
    blocked: meta.blocked,
    waitingFor: meta.waitingFor,
    ...runtimeView(meta),
    createdAt: meta.createdAt,
    updatedAt: meta.updatedAt,
  };
}

/** Sums over the turns that are known; null where not one is, which is not the same as nothing. */
function usageView(meta: AgentMeta) {
  const { turns, toolCalls, usage, unreportedTurns, unpricedTurns } = meta;
  const isKnown = turns === 0 || unreportedTurns < turns;
  const { inputTokens, cachedTokens, cacheWriteTokens, outputTokens, costUsd } = usage;
  return {
    turns,
    toolCalls,
    inputTokens: isKnown ? inputTokens : null,
    cachedTokens: isKnown ? cachedTokens : null,
    cacheWriteTokens: isKnown ? cacheWriteTokens : null,
    outputTokens: isKnown ? outputTokens : null,
    costUsd: isKnown ? costUsd : null,
    cachedShare: cachedShare(meta),
    unreportedTurns,
    unpricedTurns,
  };
}

function lineageView({ launch, agentId, title }: AgentMeta) {
  if (launch === null)
    return { sessionId: agentId, parentId: null, depth: 0, description: title ?? '', model: null };
  const { sessionId, parentId, depth, description, model } = launch;
  return { sessionId, parentId, depth, description, model };
}

/** What only a session has: its current runtime, without its texts. */
function runtimeView({ runtime, hosted }: AgentMeta) {
  if (runtime === null) return {};
  const { model, projectRoot, approvalMode, workflowMode } = runtime;
  return { model, projectRoot, approvalMode, workflowMode, hosted };
}

/** Share of the input that came from the provider's cache; null before the first request. */
function cachedShare({ usage }: AgentMeta): number | null {
  const input = usage.inputTokens + usage.cachedTokens + usage.cacheWriteTokens;
  return input === 0 ? null : usage.cachedTokens / input;
}

type PolicyView =
  | { readonly kind: 'unrestricted' }
  | { readonly kind: 'list'; readonly entries: readonly string[]; readonly requested: string | null }
  | { readonly kind: 'unreadable' };

/** A policy that cannot be read is shown as that, never as "no restriction". */
function policyView({ launch, unreadablePolicy }: AgentMeta): PolicyView {
  if (unreadablePolicy !== null) return { kind: 'unreadable' };
  if (launch === null) return { kind: 'unrestricted' };
  const policy = parseStoredPolicy(launch.policy);
  if (!policy.ok) return { kind: 'unreadable' };
  return policy.value.kind === 'list'
    ? { kind: 'list', entries: policy.value.entries, requested: launch.requestedTools }
    : { kind: 'unrestricted' };
}

/** The names that the mode's ceiling lets through, or null where there is no ceiling. */
function ceilingView({ launch }: AgentMeta): readonly string[] | null | 'unreadable' {
  if (launch === null) return null;
  const ceiling = parseCeiling(launch.ceiling);
  if (!ceiling.ok) return 'unreadable';
  return ceiling.value.kind === 'none' ? null : ceiling.value.names;
}
