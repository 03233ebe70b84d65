/** Longer arguments are compared as they are written: the fold must stay cheap, and nobody respells so much by chance. */
const longest = 4_096;

/**
 * Arguments in one spelling, so that white space and the order of members do not make the same call another one (field case L13).
 * What is no JSON, or nests too deep, stands for itself. Never throws.
 */
export function canonicalArguments(text: string): string {
  if (text.length > longest) return text;
  try {
    return JSON.stringify(JSON.parse(text), (_key, value: unknown) => sorted(value));
  } catch {
    return text;
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
