import { DedicatedSession } from './dedicated-session.js';
import * as sql from './presence-statements.js';
import { workerApplicationName } from './worker-application-name.js';
import { workerLockKey } from './worker-lock-key.js';

/** Whose lock to hold, and where. */
export interface LockSessionOptions {
  readonly databaseUrl: string;
  readonly workerId: string;
  /** The longest that connecting or one statement may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** The facts of a worker process that its row shows. */
export interface WorkerFacts {
  readonly pid: number;
  readonly host: string;
  readonly capacity: number;
}

/**
 * The session that holds a worker's advisory lock. Each statement runs on a session that has the lock: a broken one is
 * replaced and the lock taken again first. After a throw call {@link drop}.
 */
export class LockSession {
  readonly #options: LockSessionOptions;
  readonly #applicationName: string;
  readonly #key: string;
  #session: DedicatedSession | undefined;

  constructor(options: LockSessionOptions) {
    this.#options = options;
    this.#applicationName = workerApplicationName(options.workerId);
    this.#key = workerLockKey(options.workerId);
  }

  /** False when this worker id is dead already. @throws the database's error */
  async register(facts: WorkerFacts, leaseMs: number): Promise<boolean> {
    const session = await this.#locked();
    const { pid, host, capacity } = facts;
    const registered = await session.query(sql.register, [
      this.#options.workerId,
      this.#key,
      pid,
      host,
      capacity,
      leaseMs,
    ]);
    return registered.length > 0;
  }

  /** False when somebody declared this worker dead. @throws the database's error */
  async renew(leaseMs: number): Promise<boolean> {
    const session = await this.#locked();
    const renewed = await session.query(sql.renew, [this.#options.workerId, leaseMs]);
    return renewed.length > 0;
  }

  /** Marks the worker stopped, then gives the lock back and closes. @throws the database's error */
  async sayStopped(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined) {
      return;
    }
    try {
      await session.query(sql.sayStopped, [this.#options.workerId]);
      await session.query(sql.releaseLock, [this.#key]);
    } finally {
      await session.close();
    }
  }

  /** Gives the session up at once; the lock goes with it as soon as the server notices. */
  drop(): void {
    this.#session?.destroy();
    this.#session = undefined;
  }

  async #locked(): Promise<DedicatedSession> {
    if (this.#session !== undefined && !this.#session.isBroken) {
      return this.#session;
    }
    this.drop();
    const session = await this.#open();
    try {
      await this.#takeLock(session);
    } catch (error) {
      session.destroy();
      throw error;
    }
    this.#session = session;
    return session;
  }

  #open(): Promise<DedicatedSession> {
    const { databaseUrl, timeoutMs } = this.#options;
    // A renewal lost in a crash of the server is renewed again; waiting for the disk twice a second buys nothing.
    const settings = { synchronous_commit: 'off' };
    return DedicatedSession.open({
      databaseUrl,
      applicationName: this.#applicationName,
      timeoutMs,
      settings,
    });
  }

  async #takeLock(session: DedicatedSession): Promise<void> {
    if (await this.#tryLock(session)) {
      return;
    }
    // The id is of this process alone, so the holder is an earlier session of ours whose end the server has not noticed.
    await session.query(sql.endOwnHolders, [this.#key, this.#applicationName]);
    if (!(await this.#tryLock(session))) {
      throw new Error(`The lock of worker ${this.#options.workerId} is held by another session.`);
    }
  }

  async #tryLock(session: DedicatedSession): Promise<boolean> {
    const [row] = await session.query<{ taken: boolean }>(sql.takeLock, [this.#key]);
    return row?.taken === true;
  }
}
