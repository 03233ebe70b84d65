import { createHash } from 'node:crypto';

/**
 * The SHA-256 of a call's arguments in canonical form: members in code-unit order, insignificant white space gone,
 * numbers and strings as values. What an approval is bound to, so that key order does not matter and a changed value does.
 * Depth is bounded by argument validation, which runs first.
 */
export function argumentsDigest(argumentsText: string): string {
  return createHash('sha256')
    .update(canonical(JSON.parse(argumentsText === '' ? '{}' : argumentsText)))
    .digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}
