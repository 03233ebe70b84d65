import { createPostgresBackend, isPgPool, runMigrations, withBackend, type PgPool } from 'bullmq';
import { Client, Pool } from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { noticeDeadClients } from '../presence/session-settings.js';
import { sessionUrl } from '../presence/session-url.js';
import type {
  BullProcessor,
  BullQueue,
  BullWorker,
  Opened,
  QueueDriver,
  WorkerTuning,
} from './bullmq-shapes.js';
import { maxStalledCount, queueStreams } from './job-retention.js';
import { retryUntil } from './retry-until.js';
import { watchErrors, type FaultReport } from './watch-errors.js';

/*
 * Connection budget. All queues of a process share one pool of `producerConnections`; each worker has a pool of
 * `workerConnections`, one of which its LISTEN client keeps for good. An orchestrator therefore holds at most 2, a worker
 * process with one queue 3 (5 when it sends jobs too), on top of log pool and presence. BullMQ left to itself opens up to
 * 10 for each queue and 11 for each worker.
 */
const producerConnections = 2;
const workerConnections = 3;
const schema = 'bullmq';
const queryTimeoutMs = 10_000;
const restAfterFailureMs = 250;

type PostgresFactory = typeof createPostgresBackend;

/**
 * BullMQ answers a failed fetch with the next fetch at once, so a database that refuses would be asked without pause and
 * starve the process of timers; each failure rests first. The blocking connection is not named, because that would replace
 * the application_name by which all backends of a dead worker are found.
 */
const calmBackend: PostgresFactory = (name, options) => {
  const backend = createPostgresBackend(name, options);
  const take = backend.moveToActive.bind(backend);
  backend.moveToActive = async (...args): Promise<unknown[]> => {
    try {
      return await take(...args);
    } catch (error) {
      await pause(restAfterFailureMs);
      throw error;
    }
  };
  return backend;
};

const postgres = withBackend(calmBackend);

/** What the PostgreSQL backend of the queue needs to know. */
export interface PostgresQueueOptions {
  readonly databaseUrl: string;
  readonly applicationName: string;
  readonly readyTimeoutMs: number;
  readonly report: FaultReport;
}

/**
 * BullMQ on PostgreSQL. Waits for the database and migrates BullMQ's schema before any queue or worker exists: one whose
 * first connection is refused never recovers, and a worker on an unmigrated database spins.
 * @throws the last connection error when the database does not answer in time
 */
export async function openPostgresQueueDriver(options: PostgresQueueOptions): Promise<QueueDriver> {
  const url = sessionUrl(options.databaseUrl, {
    applicationName: options.applicationName,
    // A pool handed to BullMQ does not find BullMQ's functions by itself. What a crash of the server takes from the queue
    // the log dispatches again, so no commit here waits for the disk.
    settings: { search_path: schema, synchronous_commit: 'off', ...noticeDeadClients },
  });
  await retryUntil(() => migrate(url, options.report), { forMs: options.readyTimeoutMs, pauseMs: 200 });
  return new PostgresQueueDriver(url, options.report);
}

async function migrate(url: string, report: FaultReport): Promise<void> {
  const client = watchErrors(
    new Client({ connectionString: url, connectionTimeoutMillis: 5000 }),
    'queue migration',
    report,
  );
  try {
    await client.connect();
    await runMigrations(client, schema);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function asBullPool(pool: Pool): PgPool {
  const candidate: unknown = pool;
  if (isPgPool(candidate)) {
    return candidate;
  }
  throw new TypeError('BullMQ does not know this pg.Pool as one; do the versions of pg and bullmq fit?');
}

class PostgresQueueDriver implements QueueDriver {
  readonly kind = 'postgres';
  readonly #url: string;
  readonly #report: FaultReport;
  readonly #pools = new Set<Pool>();
  #producers: Pool | undefined;

  constructor(url: string, report: FaultReport) {
    this.#url = url;
    this.#report = report;
  }

  async openQueue(name: string): Promise<Opened<BullQueue>> {
    this.#producers ??= this.#openPool(producerConnections, 'queue pool');
    const queue = new postgres.Queue(name, {
      connection: asBullPool(this.#producers),
      streams: queueStreams,
    });
    watchErrors(queue, `queue ${name}`, this.#report);
    await queue.waitUntilReady();
    return { bull: queue, dispose: () => Promise.resolve() };
  }

  async openWorker(
    name: string,
    processor: BullProcessor,
    tuning: WorkerTuning,
  ): Promise<Opened<BullWorker>> {
    const pool = this.#openPool(workerConnections, `worker pool of ${name}`);
    const worker = new postgres.Worker(name, processor, {
      connection: asBullPool(pool),
      autorun: false,
      concurrency: tuning.concurrency,
      lockDuration: tuning.lockDurationMs,
      stalledInterval: tuning.stalledIntervalMs,
      runRetryDelay: 1000,
      maxStalledCount,
    });
    watchErrors(worker, `worker of ${name}`, this.#report);
    await worker.waitUntilReady();
    worker.run().catch((error: unknown) => this.#report({ source: `worker of ${name}`, error }));
    return { bull: worker, dispose: () => this.#endPool(pool) };
  }

  async ping(): Promise<void> {
    this.#producers ??= this.#openPool(producerConnections, 'queue pool');
    await this.#producers.query('select 1');
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools].map((pool) => this.#endPool(pool)));
  }

  #openPool(max: number, source: string): Pool {
    const pool = new Pool({
      connectionString: this.#url,
      max,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      query_timeout: queryTimeoutMs,
    });
    watchErrors(pool, source, this.#report);
    // A client that is checked out has no listener of the pool's; cut between two queries it would end the process.
    pool.on('connect', (client) => watchErrors(client, source, this.#report));
    this.#pools.add(pool);
    return pool;
  }

  async #endPool(pool: Pool): Promise<void> {
    if (this.#pools.delete(pool)) {
      await pool.end();
    }
  }
}
