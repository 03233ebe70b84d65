/** How a child that died is started again; milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly highestMs: number;
  /** A child that lived this long had started well: the next delay is the first one again. */
  readonly healthyMs: number;
}

export const defaultBackoff: Backoff = { firstMs: 250, highestMs: 15_000, healthyMs: 30_000 };

/** The deaths in a row, after one more whose child had lived `livedMs`. */
export function countDeath(backoff: Backoff, deathsBefore: number, livedMs: number): number {
  return livedMs >= backoff.healthyMs ? 1 : deathsBefore + 1;
}

/** How long to wait after that many deaths in a row: doubled each time, up to the highest. */
export function respawnDelayMs(backoff: Backoff, deaths: number): number {
  return Math.min(backoff.firstMs * 2 ** (deaths - 1), backoff.highestMs);
}
