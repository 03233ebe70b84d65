/**
 * Answers which of many prefixes a text starts with, in O(log n). Prefixes that another one covers are dropped, and in
 * what is left the only candidate is the greatest one not above the text in code unit order.
 */
export class PrefixSet {
  readonly #prefixes: readonly string[];

  constructor(prefixes: Iterable<string>) {
    const kept: string[] = [];
    // The default order of sort is by code units, as is `<=` below; a locale order would break the search.
    for (const prefix of [...new Set(prefixes)].sort()) {
      const last = kept.at(-1);
      if (last === undefined || !prefix.startsWith(last)) kept.push(prefix);
    }
    this.#prefixes = kept;
  }

  /** The shortest prefix in the set that the text starts with, or null. */
  covering(text: string): string | null {
    let low = 0;
    let high = this.#prefixes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#prefixes[middle] ?? '') <= text) low = middle + 1;
      else high = middle;
    }
    const candidate = this.#prefixes[low - 1];
    return candidate !== undefined && text.startsWith(candidate) ? candidate : null;
  }
}
