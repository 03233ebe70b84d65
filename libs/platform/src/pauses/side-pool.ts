import pg from 'pg';
import { sessionUrl } from '../presence/session-url.js';

export interface SidePoolOptions {
  readonly databaseUrl: string;
  readonly applicationName: string;
  /** Hears of connections that broke; they are made again. */
  readonly onFault: (error: Error) => void;
}

/** A statement that takes longer is given up: whoever asks can go on without an answer. */
const patienceMs = 1_000;

/** One connection, opened when it is needed, for the few things that a worker asks the database beside its log. */
export function openSidePool({ databaseUrl, applicationName, onFault }: SidePoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: sessionUrl(databaseUrl, {
      applicationName,
      settings: { statement_timeout: patienceMs },
    }),
    max: 1,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  });
  pool.on('error', onFault);
  pool.on('connect', (client) => void client.on('error', onFault));
  return pool;
}
