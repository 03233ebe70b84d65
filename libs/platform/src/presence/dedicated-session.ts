import { Client } from 'pg';
import { Socket } from 'node:net';
import { noticeDeadClients } from './session-settings.js';
import { sessionUrl } from './session-url.js';

/** How to open a session. */
export interface DedicatedSessionOptions {
  readonly databaseUrl: string;
  readonly applicationName: string;
  /** The longest that connecting or one statement may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Settings beyond those by which the server notices a dead client. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** Parameters of a statement. */
export type SqlValue = string | number | null;

/**
 * One connection of its own, with no pool and no pooler between: what holds a session lock. After any failed statement it is
 * of no further use; destroy it and open another.
 */
export class DedicatedSession {
  readonly #client: Client;
  readonly #socket: Socket;
  #broken = false;

  private constructor(client: Client, socket: Socket) {
    this.#client = client;
    this.#socket = socket;
    // The error of a statement in flight rejects that statement; one between statements shows here only.
    client.on('error', () => (this.#broken = true));
    client.on('end', () => (this.#broken = true));
  }

  /** @throws the connection error, or a time-out */
  static async open(options: DedicatedSessionOptions): Promise<DedicatedSession> {
    const socket = new Socket();
    const client = new Client({
      connectionString: sessionUrl(options.databaseUrl, {
        applicationName: options.applicationName,
        settings: { ...noticeDeadClients, ...options.settings },
      }),
      stream: () => socket,
      connectionTimeoutMillis: options.timeoutMs,
      query_timeout: options.timeoutMs,
      keepAlive: true,
    });
    const session = new DedicatedSession(client, socket);
    try {
      await client.connect();
      return session;
    } catch (error) {
      session.destroy();
      throw error;
    }
  }

  get isBroken(): boolean {
    return this.#broken;
  }

  /** The rows of one statement. @throws the database's error, or a time-out */
  async query<Row extends object>(text: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    const { rows } = await this.#client.query<Row>(text, [...values]);
    return rows;
  }

  /** Drops the connection at once, without a word to the server. */
  destroy(): void {
    this.#broken = true;
    this.#socket.destroy();
  }

  /** Says goodbye and drops the connection; bounded by the time-out of statements. */
  async close(): Promise<void> {
    if (!this.#broken) {
      await this.#client.query('select 1').then(
        () => this.#client.end(),
        () => undefined,
      );
    }
    this.destroy();
  }
}
