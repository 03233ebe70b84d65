import { setTimeout as pause } from 'node:timers/promises';
import { declareWorkerDead } from './declare-worker-dead.js';
import { DedicatedSession } from './dedicated-session.js';
import { beginWatch, judgeWorkers, type Death, type Sighting, type Watch } from './judge-workers.js';
import { readLivingWorkers, type LivingWorker } from './living-workers.js';
import * as sql from './presence-statements.js';
import { defaultObserverTiming, type ObserverTiming } from './presence-timing.js';

/** What an observer needs. */
export interface PresenceObserverOptions {
  readonly databaseUrl: string;
  /**
   * Called once for each worker that this observer or another declared dead, after all sessions of that worker were ended.
   * At the start, deaths of the last ten seconds are told too. It must not throw; for what an observer missed while it was down
   * there is `livingWorkersSql`.
   */
  readonly onDeath: (death: Death) => void;
  /** Hears of failed looks; they are repeated. */
  readonly onFault?: (error: unknown) => void;
  readonly timing?: Partial<ObserverTiming>;
}

// Longer than a transaction that declares a death may last, so that none slips between two looks.
const lookBackMs = 10_000;
const restAfterFailureMs = 250;

type LookRow = { nowMs: number } & (Sighting | { workerId: null });

/**
 * Notices dead workers from a session of its own (spec 03 §5, "Ownership and crash detection"). Any number may run at once:
 * the row of a worker is locked for the verdict, and each observer tells each death once. Only the database's clock judges.
 */
export class PresenceObserver {
  readonly #options: PresenceObserverOptions;
  readonly #timing: ObserverTiming;
  readonly #told = new Set<string>();
  readonly #stop = new AbortController();
  #session: DedicatedSession | undefined;
  #watch: Watch | undefined;
  #deathsSinceMs: number | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: PresenceObserverOptions) {
    this.#options = options;
    this.#timing = { ...defaultObserverTiming, ...options.timing };
  }

  /** Begins to look; a database that is away is waited for. */
  start(): void {
    this.#loop ??= this.#run();
  }

  /** Ends the looking; resolves when no further death will be told. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
    await this.#session?.close();
  }

  /** All workers that nobody declared dead. @throws when the database does not answer */
  async aliveWorkers(): Promise<readonly LivingWorker[]> {
    const session = await this.#open();
    try {
      return await readLivingWorkers(session);
    } finally {
      await session.close();
    }
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const restMs = await this.#lookSafely();
      await pause(restMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  async #lookSafely(): Promise<number> {
    try {
      await this.#look();
      return this.#timing.pollMs;
    } catch (error) {
      this.#session?.destroy();
      this.#session = undefined;
      this.#options.onFault?.(error);
      return restAfterFailureMs;
    }
  }

  async #look(): Promise<void> {
    const session = await this.#currentSession();
    const rows = await session.query<LookRow>(sql.look, [this.#deathsSinceMs ?? null]);
    const nowMs = rows[0]?.nowMs ?? Number.NaN;
    const sightings = rows.filter((row): row is LookRow & Sighting => row.workerId !== null);
    this.#watch ??= beginWatch(nowMs);
    const judgement = judgeWorkers(this.#watch, sightings, nowMs, this.#timing);
    this.#watch = judgement.watch;
    this.#forgetToldBut(judgement.declared);
    judgement.declared.forEach((death) => this.#tell(death));
    for (const death of judgement.suspects) {
      if (await declareWorkerDead(session, death)) this.#tell(death);
    }
    this.#deathsSinceMs = nowMs - lookBackMs;
  }

  /** A death that no look shows any more cannot be told twice. */
  #forgetToldBut(declared: readonly Death[]): void {
    const shown = new Set(declared.map(({ workerId }) => workerId));
    for (const workerId of this.#told) {
      if (!shown.has(workerId)) this.#told.delete(workerId);
    }
  }

  async #currentSession(): Promise<DedicatedSession> {
    if (this.#session === undefined || this.#session.isBroken) {
      this.#session?.destroy();
      this.#session = await this.#open();
      // A new session knows nothing: the database may have restarted, and its workers come back one by one.
      this.#watch = undefined;
      await this.#session.query(sql.forgetLongDead);
    }
    return this.#session;
  }

  #open(): Promise<DedicatedSession> {
    const { databaseUrl } = this.#options;
    return DedicatedSession.open({
      databaseUrl,
      applicationName: 'offshoot-observer',
      timeoutMs: this.#timing.timeoutMs,
    });
  }

  #tell(death: Death): void {
    if (!this.#told.has(death.workerId)) {
      this.#told.add(death.workerId);
      this.#options.onDeath(death);
    }
  }
}
