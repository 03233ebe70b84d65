import pg from 'pg';

export interface PoolOptions {
  readonly url: string;
  /** Most connections at once. */
  readonly max: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string;
  /** Session settings in the form of `-c name=value`. */
  readonly sessionOptions?: string;
  /** Hears of connections that broke, idle or not. The pool replaces them by itself. */
  readonly onError?: (error: Error) => void;
}

// A backend whose client is gone must not go on holding locks or a transaction that holds the log's readers back.
const liveness = [
  '-c tcp_keepalives_idle=1',
  '-c tcp_keepalives_interval=1',
  '-c tcp_keepalives_count=3',
  '-c tcp_user_timeout=3000',
  '-c client_connection_check_interval=1000',
].join(' ');

/**
 * A pool of connections with every time-out set and every error heard: statements 30 s, waits for a lock 5 s, idle
 * transactions 10 s (they hold back all readers of the log), acquire 5 s.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({ ...connectionConfig(options), max: options.max, idleTimeoutMillis: 30_000 });
  const onError = options.onError ?? ignore;
  pool.on('error', onError);
  // A client that is checked out has no listener of the pool: without one of its own a broken connection ends the process.
  pool.on('connect', (client) => void client.on('error', onError));
  return pool;
}

/** The settings of `createPool` for one connection outside a pool. */
export function connectionConfig(options: Omit<PoolOptions, 'max'>): pg.ClientConfig {
  return {
    connectionString: options.url,
    application_name: options.applicationName ?? 'offshoot',
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    query_timeout: 35_000,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    options: [liveness, options.sessionOptions ?? ''].join(' ').trim(),
  };
}

function ignore(): void {
  // The failing statement rejects on its own; this only keeps an idle connection's end from ending the process.
}
