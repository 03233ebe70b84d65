import pg from 'pg';
import { LocalWakeUp } from '../wake-up.js';
import { connectionConfig, type PoolOptions } from './create-pool.js';

const channel = 'offshoot_log';
/** The least time between two notifications: each wakes every process, and each of them reads the log for it. */
const spacingMs = 10;
const longestPauseMs = 2_000;

/**
 * Wakes the readers of all processes over one database (spec 03 §2): LISTEN and NOTIFY on a connection of its own,
 * without payload, so no event's size or content can matter. Notifies after commit, the first time at once and then at most
 * once every 10 ms. A lost connection is made again; until then readers go by their poll interval.
 */
export class PostgresWakeUp extends LocalWakeUp {
  readonly #options: Omit<PoolOptions, 'max'>;
  #client: pg.Client | null = null;
  #notifyTimer: NodeJS.Timeout | null = null;
  #reconnectTimer: NodeJS.Timeout | null = null;
  #notifying: Promise<void> = Promise.resolve();
  #pauseMs = 50;
  #notifiedAtMs = -Infinity;
  #isClosed = false;

  constructor(options: Omit<PoolOptions, 'max'>) {
    super();
    this.#options = options;
  }

  /** Begins to listen. Never throws: without a connection it tries again, ever slower up to 2 s. */
  async open(): Promise<void> {
    if (this.#isClosed) return;
    const client = new pg.Client(connectionConfig(this.#options));
    client.on('error', (error) => {
      this.#options.onError?.(error);
      this.#lost(client);
    });
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ processId }) => this.#heard(client, processId));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      this.#options.onError?.(error instanceof Error ? error : new Error(String(error)));
      this.#reconnect(client);
      return;
    }
    await this.#adopt(client);
  }

  /** Says that something was committed: wakes this process at once, the others within about 10 ms. */
  announce(): void {
    this.wake();
    if (this.#isClosed || this.#notifyTimer !== null) return;
    const waitMs = Math.max(0, this.#notifiedAtMs + spacingMs - performance.now());
    this.#notifyTimer = setTimeout(() => void this.#notifyOthers(), waitMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#reconnectTimer !== null) clearTimeout(this.#reconnectTimer);
    if (this.#notifyTimer !== null) {
      clearTimeout(this.#notifyTimer);
      await this.#notifyOthers();
    }
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
    this.wake();
  }

  // One at a time: what is announced while a notification is under way gets the next one.
  async #notifyOthers(): Promise<void> {
    await this.#notifying;
    this.#notifyTimer = null;
    this.#notifiedAtMs = performance.now();
    this.#notifying = this.#notify();
    await this.#notifying;
  }

  async #adopt(client: pg.Client): Promise<void> {
    if (this.#isClosed) {
      await client.end().catch(() => undefined);
      return;
    }
    this.#client = client;
    this.#pauseMs = 50;
    // Whatever was announced while nobody listened.
    this.wake();
  }

  async #notify(): Promise<void> {
    try {
      await this.#client?.query(`notify ${channel}`);
    } catch (error) {
      this.#options.onError?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #heard(client: pg.Client, processId: number): void {
    const own = (client as pg.Client & { readonly processID?: number }).processID;
    if (processId !== own) this.wake();
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#reconnect(client);
  }

  #reconnect(client: pg.Client): void {
    void client.end().catch(() => undefined);
    if (this.#isClosed || this.#reconnectTimer !== null) return;
    this.#reconnectTimer = setTimeout(() => {
      this.#reconnectTimer = null;
      void this.open();
    }, this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }
}
