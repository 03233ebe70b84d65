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
  readonly done: Promise<void>;
}

/**
 * A limiter whose pauses all workers share (L09): a provider that sends one of them away is left alone by the others, within a fifth
 * of a second. How many requests run at once is each worker's own bound.
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
    options.signal.throwIfAborted();
    await this.#look(limiterKey);
    return this.#options.local.acquire(limiterKey, options);
  }

  pause(limiterKey: string, delayMs: number): void {
    this.#options.local.pause(limiterKey, delayMs);
    this.#options.pauses.extend(limiterKey, delayMs).catch(this.#options.onFault);
  }

  #look(limiterKey: string): Promise<void> {
    const last = this.#looks.get(limiterKey);
    if (last !== undefined && this.#now() - last.atMs < FRESH_MS) return last.done;
    const look = { atMs: this.#now(), done: this.#lookNow(limiterKey) };
    this.#looks.set(limiterKey, look);
    return look.done;
  }

  async #lookNow(limiterKey: string): Promise<void> {
    const { local, pauses, onFault } = this.#options;
    try {
      const leftMs = await pauses.leftMs(limiterKey);
      if (leftMs > 0) local.pause(limiterKey, leftMs);
    } catch (thrown) {
      onFault(thrown);
    }
  }
}
