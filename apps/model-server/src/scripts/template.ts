import type { Facts } from './facts.js';

/** What a placeholder may refer to: the request, and the captures of the rule that matched. */
export interface TemplateScope {
  readonly facts: Facts;
  readonly captures: readonly string[];
}

const placeholder = /\{\{([^{}]*)\}\}/g;
const known = /^(?:lastUser|model|turn|toolResult:-?\d{1,6}|match:\d{1,2})$/;

/** The placeholders of a text that no rule of the format explains. */
export function unknownPlaceholders(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].map((found) => found[1] ?? '').filter((name) => !known.test(name));
}

type Lookup = (scope: TemplateScope, index: number) => string | undefined;
const lookups: ReadonlyMap<string, Lookup> = new Map<string, Lookup>([
  ['lastUser', ({ facts }) => facts.lastUser],
  ['model', ({ facts }) => facts.model],
  ['turn', ({ facts }) => String(facts.assistantTurnsSinceLastUser)],
  ['toolResult', ({ facts }, index) => facts.toolResults.at(index)],
  ['match', ({ captures }, index) => captures[index]],
]);

function valueOf(name: string, scope: TemplateScope): string {
  const [word = '', index = '0'] = name.split(':');
  return lookups.get(word)?.(scope, Number(index)) ?? '';
}

/**
 * Fills the placeholders of one text, once: what a user wrote is never expanded again. A reference to something that
 * is not there (a capture that took no part, a result that does not exist) becomes the empty text.
 */
export function fillTemplate(text: string, scope: TemplateScope): string {
  return text.replace(placeholder, (_whole, name: string) => valueOf(name, scope));
}

/** Fills every string inside a JSON value; keys stay as they are. */
export function fillJson(value: unknown, scope: TemplateScope): unknown {
  if (typeof value === 'string') return fillTemplate(value, scope);
  if (Array.isArray(value)) return value.map((item) => fillJson(item, scope));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillJson(item, scope)]));
}
