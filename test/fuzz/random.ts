/** Chance that can be repeated: the same seed gives the same run. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** True with the given chance, 0 to 1. */
  chance(part: number): boolean;
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): readonly T[];
}

/** A generator from a 32-bit seed (splitmix32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[below(items.length)];
    if (item === undefined) throw new RangeError('There is nothing to pick from.');
    return item;
  };
  const shuffled = <T>(items: readonly T[]): readonly T[] =>
    items
      .map((item) => ({ item, key: next() }))
      .sort((left, right) => left.key - right.key)
      .map(({ item }) => item);
  return { next, below, chance: (part) => next() < part, pick, shuffled };
}
