import { type AcquireOptions, type Permit, ProviderLimiter } from './provider-limiter.js';

interface Waiter {
  /** When it gives up, by the limiter's clock. */
  readonly untilMs: number;
  readonly grant: () => void;
  readonly turnAway: () => void;
}

interface Lane {
  active: number;
  pausedUntilMs: number;
  /** In the order of asking. */
  readonly queue: Set<Waiter>;
  wakeUp: NodeJS.Timeout | null;
}

export interface InProcessLimiterOptions {
  /** Requests under one key at a time. */
  readonly maxConcurrent: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

// Told to those who gave up in the queue: it moves when a stream ends, which nobody can foresee.
const QUEUE_WAIT_MS = 1_000;

/** A limiter for the requests of this process. Workers elsewhere do not see its pauses. */
export class InProcessProviderLimiter extends ProviderLimiter {
  readonly #lanes = new Map<string, Lane>();
  readonly #maxConcurrent: number;
  readonly #now: () => number;

  constructor(options: InProcessLimiterOptions) {
    super();
    this.#maxConcurrent = options.maxConcurrent;
    this.#now = options.now ?? (() => performance.now());
  }

  async acquire(limiterKey: string, options: AcquireOptions): Promise<Permit> {
    options.signal.throwIfAborted();
    const lane = this.#lane(limiterKey);
    const pauseMs = this.#pauseLeftMs(lane);
    if (pauseMs > options.maxWaitMs) return { ok: false, waitMs: pauseMs };
    if (pauseMs === 0 && lane.queue.size === 0 && lane.active < this.#maxConcurrent) return this.#grant(lane);
    return this.#queueUp(lane, options);
  }

  pause(limiterKey: string, delayMs: number): void {
    const lane = this.#lane(limiterKey);
    lane.pausedUntilMs = Math.max(lane.pausedUntilMs, this.#now() + delayMs);
    // Who cannot wait for the end of it gives its worker slot back now, not when its own time is over.
    for (const waiter of lane.queue) if (waiter.untilMs < lane.pausedUntilMs) waiter.turnAway();
  }

  #lane(limiterKey: string): Lane {
    const known = this.#lanes.get(limiterKey);
    if (known !== undefined) return known;
    const lane: Lane = { active: 0, pausedUntilMs: 0, queue: new Set(), wakeUp: null };
    this.#lanes.set(limiterKey, lane);
    return lane;
  }

  #pauseLeftMs(lane: Lane): number {
    return Math.max(0, lane.pausedUntilMs - this.#now());
  }

  #grant(lane: Lane): Permit {
    lane.active += 1;
    let isHeld = true;
    return {
      ok: true,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        lane.active -= 1;
        this.#serve(lane);
      },
    };
  }

  #serve(lane: Lane): void {
    const pauseMs = this.#pauseLeftMs(lane);
    if (pauseMs > 0) {
      this.#serveAfter(lane, pauseMs);
      return;
    }
    for (const waiter of lane.queue) {
      if (lane.active >= this.#maxConcurrent) return;
      waiter.grant();
    }
  }

  #serveAfter(lane: Lane, pauseMs: number): void {
    if (lane.queue.size === 0 || lane.wakeUp !== null) return;
    lane.wakeUp = setTimeout(() => {
      lane.wakeUp = null;
      this.#serve(lane);
    }, pauseMs);
  }

  #queueUp(lane: Lane, { signal, maxWaitMs }: AcquireOptions): Promise<Permit> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        lane.queue.delete(waiter);
        this.#restIfEmpty(lane);
      };
      const turnAway = (): void => {
        leave();
        resolve({ ok: false, waitMs: Math.max(this.#pauseLeftMs(lane), QUEUE_WAIT_MS) });
      };
      const waiter: Waiter = {
        untilMs: this.#now() + maxWaitMs,
        grant: () => {
          leave();
          resolve(this.#grant(lane));
        },
        turnAway,
      };
      const onAbort = (): void => {
        leave();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(turnAway, maxWaitMs);
      signal.addEventListener('abort', onAbort, { once: true });
      lane.queue.add(waiter);
      this.#serve(lane);
    });
  }

  /** A lane that nobody waits for holds no timer, which would keep the process alive. */
  #restIfEmpty(lane: Lane): void {
    if (lane.queue.size > 0 || lane.wakeUp === null) return;
    clearTimeout(lane.wakeUp);
    lane.wakeUp = null;
  }
}
