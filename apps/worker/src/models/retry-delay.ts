export interface RetryPolicy {
  /** The longest time a request may spend waiting inside its worker slot; anything longer is the caller's timer. */
  readonly inPlaceMs: number;
  /** Attempts over all parks of one turn; the fault of the last one is thrown. */
  readonly maxAttempts: number;
  readonly baseMs: number;
  /** The longest backoff that we choose ourselves; what a provider asks for may be longer. */
  readonly capMs: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = Object.freeze({
  inPlaceMs: 4_000,
  maxAttempts: 10,
  baseMs: 500,
  capMs: 60_000,
});

/**
 * How long to wait after the `attempts`-th attempt failed, in milliseconds. What the provider asked for is a floor, and
 * jitter comes on top of it, so that agents that were sent away together do not come back together (L09). `chance` is in
 * [0, 1).
 */
export function retryDelay(
  askedMs: number | null,
  attempts: number,
  policy: RetryPolicy,
  chance: number,
): number {
  const backoffMs = Math.min(policy.capMs, policy.baseMs * 2 ** Math.max(0, attempts - 1));
  const jitteredMs = Math.round(backoffMs * (0.5 + chance / 2));
  if (askedMs === null) return jitteredMs;
  return Math.max(jitteredMs, Math.round(askedMs + chance * Math.min(1_000, policy.baseMs + askedMs / 10)));
}
