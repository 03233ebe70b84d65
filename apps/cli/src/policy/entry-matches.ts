import { compileGate, listPolicy, NO_CEILING, parseAllowlist, type ToolSurface } from '#policy';
import type { EvaluationAnswer } from './policy-answers.js';

/** One entry of a list and the declared tools that it alone would permit, by wire name. */
export interface EntryMatches {
  readonly entry: string;
  readonly matches: readonly string[];
}

/** What each entry is good for on this surface; one that matches nothing is probably a slip of the pen. Empty without a list. */
export function entryMatches({ policy, surface }: EvaluationAnswer): readonly EntryMatches[] {
  if (policy.kind === 'unrestricted') return [];
  const declared = new Map(surface.map(({ wireName, identity }) => [wireName, identity]));
  const { entries, bindings = [] } = policy;
  return [...new Set(entries)].map((entry) => {
    const bound = bindings.filter(({ wireName }) => wireName === entry);
    return { entry, matches: matchesOf(entry, bound, { declared, withheld: [] }) };
  });
}

function matchesOf(
  entry: string,
  bindings: Parameters<typeof listPolicy>[1],
  surface: ToolSurface,
): readonly string[] {
  const single = parseAllowlist([entry]);
  if (!single.ok) return [];
  // A session has no forbidden tools: what a list matches and what its agent may run are two questions.
  const policy = listPolicy(single.value, bindings);
  return compileGate({ kind: 'session', policy, ceiling: NO_CEILING, surface }).executable();
}
