import pg from 'pg';
import { noticeDeadClients } from '../presence/session-settings.js';
import { sessionUrl } from '../presence/session-url.js';

export interface KeyWatchOptions {
  readonly databaseUrl: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** A key was made or ended, or may have been: also called whenever listening begins again. */
  readonly onChange: () => void;
  /** Hears of connections that broke; they are made again. */
  readonly onFault: (error: unknown) => void;
}

const firstPauseMs = 50;
const longestPauseMs = 2_000;
const connectMs = 5_000;

/** Hears within milliseconds that keys came or went, on a connection of its own. What it misses while it has none is for others to bound. */
export class KeyWatch {
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #pauseMs = firstPauseMs;
  #isClosed = false;

  constructor(private readonly options: KeyWatchOptions) {}

  /** Begins to listen. Never rejects: without a connection it tries again, ever slower up to 2 s. */
  async open(): Promise<void> {
    if (this.#isClosed) return;
    const { databaseUrl, applicationName, onChange } = this.options;
    const client = new pg.Client({
      connectionString: sessionUrl(databaseUrl, { applicationName, settings: { ...noticeDeadClients } }),
      connectionTimeoutMillis: connectMs,
      query_timeout: connectMs,
      keepAlive: true,
    });
    this.#client = client;
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, null));
    client.on('notification', onChange);
    try {
      await client.connect();
      await client.query('listen offshoot_keys');
      this.#pauseMs = firstPauseMs;
      onChange();
    } catch (error) {
      this.#lost(client, error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  #lost(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = null;
    if (error !== null) this.options.onFault(error);
    void client.end().catch(() => undefined);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.open(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }
}
