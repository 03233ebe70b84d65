/** Times of a worker's presence, in milliseconds. */
export interface PresenceTiming {
  /** Between two renewals. */
  readonly renewMs: number;
  /** The longest that one statement or connection attempt may take. */
  readonly timeoutMs: number;
  /** How long a renewal holds on the database's clock. */
  readonly leaseMs: number;
  /** The worker gives up this much before its lease ends. */
  readonly marginMs: number;
}

/** Times of an observer, in milliseconds. */
export interface ObserverTiming {
  /** Between two looks. */
  readonly pollMs: number;
  /** How long a lock must be seen missing, look after look. */
  readonly confirmMs: number;
  /** How long an observer must have watched without a gap before it judges anybody. */
  readonly graceMs: number;
  /** The longest that one statement or connection attempt may take. */
  readonly timeoutMs: number;
}

/**
 * Measured: a killed worker is told after about 1.1 s, a frozen one after the lease and 0.3 s, one whose network is cut after
 * 3.5-3.9 s. The margin makes a cut worker give up before the last of these: the server frees its lock 2.6 s after the cut at
 * the earliest, and the observer confirms.
 */
export const defaultPresenceTiming: PresenceTiming = Object.freeze({
  renewMs: 500,
  timeoutMs: 1500,
  leaseMs: 5000,
  marginMs: 1500,
});

/** Measured defaults: with these no restart of the server was taken for the death of a worker. */
export const defaultObserverTiming: ObserverTiming = Object.freeze({
  pollMs: 250,
  confirmMs: 750,
  graceMs: 3000,
  timeoutMs: 1500,
});

/** @throws RangeError when a worker could lose its lease to one lost renewal */
export function checkPresenceTiming(timing: PresenceTiming): PresenceTiming {
  if (timing.leaseMs - timing.marginMs < timing.renewMs + 2 * timing.timeoutMs) {
    throw new RangeError('A lease less its margin must outlast one renewal interval and two time-outs.');
  }
  return timing;
}
