import { accepted, type Result } from '../rejection.js';
import { checkKeys } from '../front-matter/check-keys.js';
import { described } from '../text/described.js';
import { ownFields } from '../text/own-fields.js';
import type { RequestedLimits } from './agent-call.js';
import { contentFault } from './call-fields.js';

const LIMITS = ['maxTurns', 'maxToolCalls', 'maxTokens', 'maxCostUsd', 'maxSeconds'] as const;
type LimitName = (typeof LIMITS)[number];

/** Full limits: what is configured, or what a launch may use. Seconds, US dollars, otherwise counts. */
export type Limits = { readonly [Name in LimitName]: number };

/** Reads the `limits` of a call: a known key each, whole numbers but for the cost, all above zero; `maxToolCalls` may be zero. */
export function parseLimits(value: unknown): Result<RequestedLimits> {
  const fields = ownFields(value);
  if (fields === null)
    return contentFault('limits', `limits must be an object of numbers, not ${described(value)}.`);
  const unknown = checkKeys(fields.keys(), LIMITS);
  if (unknown !== null) {
    return contentFault('limits', `limits has unknown keys: ${unknown.fault}.`, unknown.offenders);
  }
  const limits: Partial<Record<LimitName, number>> = {};
  for (const name of LIMITS) {
    if (!fields.has(name)) continue;
    const limit = fields.get(name);
    if (!isLimit(name, limit)) return wrongLimit(name, limit);
    limits[name] = limit;
  }
  return accepted(Object.freeze(limits));
}

/** The limits of a launch: what was asked, never above what is configured. */
export function lowerLimits(maxima: Limits, requested: RequestedLimits): Limits {
  const lower = (name: LimitName): number => Math.min(maxima[name], requested[name] ?? maxima[name]);
  return {
    maxTurns: lower('maxTurns'),
    maxToolCalls: lower('maxToolCalls'),
    maxTokens: lower('maxTokens'),
    maxCostUsd: lower('maxCostUsd'),
    maxSeconds: lower('maxSeconds'),
  };
}

function isLimit(name: LimitName, value: unknown): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (name === 'maxCostUsd') return value > 0;
  return Number.isSafeInteger(value) && value >= (name === 'maxToolCalls' ? 0 : 1);
}

function wrongLimit(name: LimitName, value: unknown): ReturnType<typeof contentFault> {
  const range = name === 'maxCostUsd' ? 'a number above 0' : 'a whole number, at least 1';
  const wanted = name === 'maxToolCalls' ? 'a whole number, at least 0' : range;
  return contentFault('limits', `limits.${name} must be ${wanted}, not ${described(value)}.`, [
    `limits.${name}`,
  ]);
}
