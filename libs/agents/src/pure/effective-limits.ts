import type { AgentMeta, Limits } from '#transcripts';

/** The maxima of spec 04 §6 where the operator configures no others; a launch can only lower them. */
export const defaultLimits: Required<Limits> = Object.freeze({
  maxTurns: 200,
  maxToolCalls: 2_000,
  maxTokens: 50_000_000,
  maxCostUsd: 100,
  maxSeconds: 6 * 3_600,
});

/** The limits of an agent: the configured maxima, lowered by its launch. */
export function limitsOf({ limits }: Pick<AgentMeta, 'limits'>, maxima: Required<Limits>): Required<Limits> {
  return { ...maxima, ...lowered(limits, maxima) };
}

function lowered(own: Limits, maxima: Required<Limits>): Limits {
  const result: Limits = {};
  for (const key of Object.keys(maxima) as (keyof Limits)[]) {
    const value = own[key];
    if (value !== undefined) result[key] = Math.min(value, maxima[key]);
  }
  return result;
}
