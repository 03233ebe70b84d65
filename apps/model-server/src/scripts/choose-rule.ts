import type { Facts } from './facts.js';
import { matchRule } from './matches.js';
import type { Rule, Script } from './script-schema.js';

export interface ChosenRule {
  readonly rule: Rule;
  readonly index: number;
  readonly captures: readonly string[];
}

/**
 * The first rule that matches. `isSpent` says of a rule's index that its `error.times` is used up for these very
 * request bytes; such a rule is passed over. Null when none is left.
 */
export function chooseRule(
  script: Script,
  facts: Facts,
  isSpent: (index: number) => boolean,
): ChosenRule | null {
  for (const [index, rule] of script.rules.entries()) {
    const captures = matchRule(rule.when, facts);
    if (captures !== null && !isSpent(index)) return { rule, index, captures };
  }
  return null;
}
