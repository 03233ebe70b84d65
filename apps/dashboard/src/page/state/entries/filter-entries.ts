import type { Entry, Family } from './entry.js';

/** The entries of a family (null: of all) that hold every word of the query somewhere in what they show. */
export function filterEntries(
  entries: readonly Entry[],
  family: Family | null,
  query: string,
): readonly Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (family === null && words.length === 0) return entries;
  return entries.filter((entry) => {
    if (family !== null && entry.family !== family) return false;
    if (words.length === 0) return true;
    const shown = [
      entry.title,
      entry.detail ?? '',
      entry.badge?.text ?? '',
      ...entry.blocks.map(({ body }) => body),
    ];
    const haystack = shown.join('\n').toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}
