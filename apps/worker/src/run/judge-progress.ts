import { limitsOf } from '#agents';
import type { AgentMeta, Limits } from '#transcripts';

/** Why an agent must stop although its model would go on; `null` while it may (spec 04 §6). */
export type StopVerdict = { readonly reason: string } | null;

/** The same call with the same outcome this often among the recent ones is no progress. */
const sameCallLimit = 8;
/** So many refused calls in a row, whatever they were, is no progress either. */
const refusalLimit = 10;

/** Budgets count over the whole life of an agent, across revivals (RUN-4). `elapsedMs` is the time of the current run. */
export function judgeProgress(meta: AgentMeta, maxima: Required<Limits>, elapsedMs: number): StopVerdict {
  const limits = limitsOf(meta, maxima);
  const tokens =
    meta.usage.inputTokens + meta.usage.cachedTokens + meta.usage.cacheWriteTokens + meta.usage.outputTokens;
  const spent: readonly (readonly [string, number, number])[] = [
    ['turn_limit', meta.turns, limits.maxTurns],
    // A call beyond the limit is answered, so that the agent can still say what it has; it may insist for a while.
    ['tool_call_limit', meta.toolCalls, limits.maxToolCalls + refusalLimit],
    ['token_limit', tokens, limits.maxTokens],
    ['cost_limit', meta.usage.costUsd, limits.maxCostUsd],
    ['time_limit', (meta.activeMs + elapsedMs) / 1000, limits.maxSeconds],
  ];
  const over = spent.find(([, used, limit]) => used >= limit);
  if (over !== undefined) return { reason: over[0] };
  return isStuck(meta) ? { reason: 'no_progress' } : null;
}

function isStuck(meta: AgentMeta): boolean {
  if (meta.refusalStreak >= refusalLimit) return true;
  const last = meta.recentCalls.at(-1);
  return meta.recentCalls.filter((digest) => digest === last).length >= sameCallLimit;
}
