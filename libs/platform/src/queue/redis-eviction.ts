/** What Redis does when its memory is full, as far as the queue is concerned. */
export type EvictionVerdict =
  | { readonly kind: 'safe' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'evicts'; readonly policy: string };

/**
 * Reads the policy from the answer of `INFO memory`, which managed servers allow where `CONFIG GET` is blocked. Anything but
 * `noeviction` may drop jobs, and the volatile policies the locks, which carry an expiry (field case Q08).
 */
export function parseEviction(infoMemory: string): EvictionVerdict {
  const policy = /^maxmemory_policy:(\S+)/m.exec(infoMemory)?.[1];
  if (policy === undefined) {
    return { kind: 'unknown' };
  }
  return policy === 'noeviction' ? { kind: 'safe' } : { kind: 'evicts', policy };
}

/** Thrown when a Redis may evict and no override was given; retrying does not help, the operator has to act. */
export class RedisMayEvict extends Error {
  readonly code = 'REDIS_MAY_EVICT';
  readonly policy: string;

  constructor(policy: string) {
    super(
      `Redis has maxmemory-policy ${policy}, under which it may drop jobs and locks. Set it to noeviction, or allow eviction explicitly.`,
    );
    this.name = 'RedisMayEvict';
    this.policy = policy;
  }
}
