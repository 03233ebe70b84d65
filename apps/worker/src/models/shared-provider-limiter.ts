import { type AcquireOptions, type Permit, ProviderLimiter } from './provider-limiter.js';

/** The pauses of all workers, as far as a limiter needs them. */
export interface Pauses {
  readonly leftMs: (limiterKey: string) => Promise<number>;
  readonly extend: (limiterKey: string, delayMs: number) => Promise<void>;
}

export interface SharedLimiterOptions {
  /** Keeps the requests of this process apart, and the pauses it knows. */
  readonly local: ProviderLimiter;
  readonly pauses: Pauses;
  /** The pauses could not be read or told; requests go on with what this process knows. */
  readonly onFault: (thrown: unknown) => void;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** How old the knowledge of what others were told may be: all requests of this time share one look. */
const FRESH_MS = 200;

interface Look {
  readonly atMs: number;
  /** What is left of the longest pause that others were told; 0 for none, or when nobody could say. */
  readonly leftMs: Promise<number>;
}

/**
 * A limiter whose pauses all workers share (L09): a provider that sends one of them away is left alone by the others, within a fifth
 * of a second, and also by who had to wait for a place. How many requests run at once is each worker's own bound; how many agents
 * of a model are at work over all of them is decided where they are dispatched.
 */
export class SharedProviderLimiter extends ProviderLimiter {
  readonly #options: SharedLimiterOptions;
  readonly #now: () => number;
  readonly #looks = new Map<string, Look>();

  constructor(options: SharedLimiterOptions) {
    super();
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  async acquire(limiterKey: string, options: AcquireOptions): Promise<Permit> {
    const giveUpMs = this.#now() + options.maxWaitMs;
    for (;;) {
      options.signal.throwIfAborted();
      const { leftMs } = this.#look(limiterKey);
      await leftMs;
      const maxWaitMs = Math.max(0, giveUpMs - this.#now());
      const permit = await this.#options.local.acquire(limiterKey, { ...options, maxWaitMs });
      if (!permit.ok || !(await this.#wasPausedMeanwhile(limiterKey))) return permit;
      permit.release();
    }
  }

  pause(limiterKey: string, delayMs: number): void {
    this.#options.local.pause(limiterKey, delayMs);
    this.#options.pauses.extend(limiterKey, delayMs).catch(this.#options.onFault);
  }

  /** Whether others were sent away since the last look. Who got a place within its time need not look twice. */
  async #wasPausedMeanwhile(limiterKey: string): Promise<boolean> {
    return !this.#isFresh(limiterKey) && (await this.#look(limiterKey).leftMs) > 0;
  }

  #isFresh(limiterKey: string): boolean {
    const last = this.#looks.get(limiterKey);
    return last !== undefined && this.#now() - last.atMs < FRESH_MS;
  }

  #look(limiterKey: string): Look {
    const last = this.#looks.get(limiterKey);
    if (last !== undefined && this.#isFresh(limiterKey)) return last;
    const look = { atMs: this.#now(), leftMs: this.#lookNow(limiterKey) };
    this.#looks.set(limiterKey, look);
    return look;
  }

  async #lookNow(limiterKey: string): Promise<number> {
    const { local, pauses, onFault } = this.#options;
    try {
      const leftMs = await pauses.leftMs(limiterKey);
      if (leftMs > 0) local.pause(limiterKey, leftMs);
      return leftMs;
    } catch (thrown) {
      onFault(thrown);
      return 0;
    }
  }
}
