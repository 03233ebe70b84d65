import type { Facts } from './facts.js';
import type { CountCondition, When } from './script-schema.js';

/** The captures of the pattern that counted, empty when the rule has no pattern; null when the rule does not match. */
export type Match = readonly string[] | null;

function contains(needle: string | undefined, texts: readonly string[]): boolean {
  return needle === undefined || texts.some((text) => text.includes(needle));
}

function capture(pattern: string | undefined, texts: readonly string[]): Match {
  if (pattern === undefined) return [];
  const regexp = new RegExp(pattern, 'su');
  for (const text of texts.toReversed()) {
    const found = regexp.exec(text);
    if (found !== null) return Array.from(found, (part: string | undefined) => part ?? '');
  }
  return null;
}

function boundOf(bound: number | string, captures: readonly string[]): number {
  return typeof bound === 'number' ? bound : Number(captures[Number(bound.slice('match:'.length))] ?? 'NaN');
}

function counts(condition: CountCondition | undefined, actual: number, captures: readonly string[]): boolean {
  if (condition === undefined) return true;
  if (typeof condition === 'number') return actual === condition;
  const { atLeast, below } = condition;
  if (atLeast !== undefined && !(actual >= boundOf(atLeast, captures))) return false;
  return below === undefined || actual < boundOf(below, captures);
}

function matchPatterns(when: When, facts: Facts): Match {
  const results = facts.lastToolResult === null ? [] : [facts.lastToolResult];
  const all = [
    capture(when.lastUserMatches, [facts.lastUser]),
    capture(when.anyUserMatches, facts.users),
    capture(when.lastToolResultMatches, results),
  ];
  if (all.includes(null)) return null;
  return all.find((match) => match !== null && match.length > 0) ?? [];
}

function matchTexts(when: When, facts: Facts): boolean {
  return (
    contains(when.lastUserContains, [facts.lastUser]) &&
    contains(when.anyUserContains, facts.users) &&
    contains(when.systemContains, [facts.system]) &&
    contains(when.lastToolResultContains, [facts.lastToolResult ?? ''])
  );
}

function matchShape(when: When, facts: Facts): boolean {
  if (when.lastRole !== undefined && when.lastRole !== facts.lastRole) return false;
  return when.declaresTool === undefined || facts.declaredTools.has(when.declaresTool);
}

function matchCounts(when: When, facts: Facts, captures: readonly string[]): boolean {
  return (
    counts(when.assistantTurns, facts.assistantTurns, captures) &&
    counts(when.assistantTurnsSinceLastUser, facts.assistantTurnsSinceLastUser, captures) &&
    counts(when.toolResultCount, facts.toolResultCount, captures) &&
    counts(when.toolResultsSinceLastUser, facts.toolResults.length, captures)
  );
}

/**
 * Whether every condition of a rule holds. Captures come from the first present of `lastUserMatches`, `anyUserMatches`
 * (its newest hit) and `lastToolResultMatches`; a bound `match:N` that is no number never holds.
 */
export function matchRule(when: When, facts: Facts): Match {
  if (!matchTexts(when, facts) || !matchShape(when, facts)) return null;
  const captures = matchPatterns(when, facts);
  return captures !== null && matchCounts(when, facts, captures) ? captures : null;
}
