import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { retryUntil } from '../queue/retry-until.js';
import { LeaseClock } from './lease-clock.js';
import { LockSession } from './lock-session.js';
import { checkPresenceTiming, defaultPresenceTiming, type PresenceTiming } from './presence-timing.js';

/** `lease_over`: the database was not reached in time, or nothing progressed. `declared_dead`: an observer said so; final. */
export type PresenceLoss = 'lease_over' | 'declared_dead';

/** What the presence of a worker process needs. */
export interface WorkerPresenceOptions {
  /** A direct connection: a pooler in between would lose the session lock. */
  readonly databaseUrl: string;
  /** A UUID of this process, never used by another one before or after. */
  readonly workerId: string;
  /** How many agents this worker runs at once. */
  readonly capacity: number;
  /**
   * Asked before each renewal: whether the work itself went on, not just the event loop. While it answers false, or throws,
   * the lease is left to run out. (A blocked event loop renews nothing by itself.)
   */
  readonly provesProgress: () => boolean;
  /**
   * The presence cannot be kept: abort every run now and write nothing for them. After `lease_over` the presence goes on
   * trying and may be regained; after `declared_dead` this worker id is dead for ever and the process had better end.
   */
  readonly onLost: (loss: PresenceLoss) => void;
  /** The lease is held again after `lease_over`, under the same id: nobody declared this worker dead meanwhile. */
  readonly onRegained?: () => void;
  /** Hears of failed renewals; they are repeated. */
  readonly onFault?: (error: unknown) => void;
  readonly timing?: Partial<PresenceTiming>;
  /** How long `start` waits for the database, in milliseconds; 30,000 by default. */
  readonly readyTimeoutMs?: number;
}

const restAfterFailureMs = 100;

/**
 * The life sign of one worker process (spec 03 §5): a session lock, which the database frees when the process dies, and a
 * lease on the database's clock, for a process that is frozen or cut off.
 *
 * new → held → (lease_over → held)* → stopped or declared dead. When the session breaks, as in a restart of the database, the
 * lock is taken again and the worker goes on; only when that does not succeed within the lease is the presence lost.
 */
export class WorkerPresence {
  readonly #options: WorkerPresenceOptions;
  readonly #timing: PresenceTiming;
  readonly #lock: LockSession;
  readonly #lease = new LeaseClock(() => this.#lose('lease_over'));
  readonly #ending = new AbortController();
  #isLost = false;
  #loop: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: WorkerPresenceOptions) {
    this.#options = options;
    this.#timing = checkPresenceTiming({ ...defaultPresenceTiming, ...options.timing });
    this.#lock = new LockSession({
      databaseUrl: options.databaseUrl,
      workerId: options.workerId,
      timeoutMs: this.#timing.timeoutMs,
    });
  }

  /**
   * Takes the lock and registers the worker; take jobs only afterwards.
   * @throws the last database error when that did not succeed in time; an Error when this id was used and is dead
   */
  async start(): Promise<void> {
    const { readyTimeoutMs = 30_000, capacity } = this.#options;
    const self = { pid: process.pid, host: hostname(), capacity };
    const sentAtMs = await retryUntil(
      async () => {
        const startedAtMs = performance.now();
        const isRegistered = await this.#lock.register(self, this.#timing.leaseMs);
        return isRegistered ? startedAtMs : undefined;
      },
      { forMs: readyTimeoutMs, pauseMs: restAfterFailureMs },
    );
    if (sentAtMs === undefined) {
      this.#lock.drop();
      throw new Error(
        `The worker id ${this.#options.workerId} belongs to a dead worker; each process needs its own.`,
      );
    }
    this.#keep(sentAtMs);
    this.#loop = this.#run();
  }

  /** Whether the presence is held at this moment; false also in a process that just woke up after its lease had ended. */
  holds(): boolean {
    return this.#lease.holds();
  }

  /** Marks the worker stopped and frees the lock. End all runs first. Never throws; a database that is away is left alone. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopOnce();
    return this.#stopped;
  }

  async #stopOnce(): Promise<void> {
    this.#ending.abort();
    await this.#loop;
    this.#lease.end();
    await this.#lock.sayStopped().catch((error: unknown) => this.#options.onFault?.(error));
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    let restMs = this.#timing.renewMs;
    for (;;) {
      await pause(restMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) {
        return;
      }
      restMs = await this.#beatSafely();
    }
  }

  async #beatSafely(): Promise<number> {
    try {
      await this.#beat();
      return this.#timing.renewMs;
    } catch (error) {
      this.#lock.drop();
      this.#options.onFault?.(error);
      return restAfterFailureMs;
    }
  }

  async #beat(): Promise<void> {
    if (!this.#progresses()) {
      return;
    }
    const sentAtMs = performance.now();
    if (await this.#lock.renew(this.#timing.leaseMs)) {
      this.#keep(sentAtMs);
    } else {
      this.#ending.abort();
      this.#lease.end();
      this.#lose('declared_dead');
    }
  }

  #progresses(): boolean {
    try {
      return this.#options.provesProgress();
    } catch (error) {
      // Not a trouble of the session: the lock stays, the lease runs out.
      this.#options.onFault?.(error);
      return false;
    }
  }

  #keep(sentAtMs: number): void {
    const { leaseMs, marginMs } = this.#timing;
    if (this.#lease.keepUntil(sentAtMs + leaseMs - marginMs) && this.#isLost) {
      this.#isLost = false;
      this.#options.onRegained?.();
    }
  }

  #lose(loss: PresenceLoss): void {
    this.#isLost = true;
    this.#options.onLost(loss);
  }
}
