import type { QueueDriver } from './bullmq-shapes.js';
import { BullmqQueueBackend } from './bullmq-queue-backend.js';
import { openPostgresQueueDriver } from './postgres-queue-driver.js';
import type { QueueBackend } from './queue-backend.js';
import { openRedisQueueDriver } from './redis-queue-driver.js';
import type { FaultReport } from './watch-errors.js';

/** How to reach the queue. Times are milliseconds. */
export interface QueueBackendOptions {
  /** Where BullMQ lives when no Redis is given, in the schema `bullmq`. A direct connection: no pooler in between. */
  readonly databaseUrl: string;
  /** When given, BullMQ runs on this Redis. */
  readonly redisUrl?: string;
  /** Redis key prefix; the default `{offshoot}` is a hash tag, so that it fits a Redis Cluster too. */
  readonly prefix?: string;
  /** application_name of the PostgreSQL connections; a worker gives `workerApplicationName(id)`. */
  readonly applicationName?: string;
  /** How long to wait for the backend to come up; 30,000 by default. */
  readonly readyTimeoutMs?: number;
  /** The longest that enqueueing or counting takes; 1,500 by default. */
  readonly deadlineMs?: number;
  /** How long a taken job is locked without renewal; 10,000 by default. The last line only: the log is the lock. */
  readonly lockDurationMs?: number;
  /** How often stalled jobs are looked for; 5,000 by default. A job is taken again at the second look after its lock ended. */
  readonly stalledIntervalMs?: number;
  /** Accept a Redis that may evict; false by default. */
  readonly allowEviction?: boolean;
  /** Hears of connection troubles; they heal by themselves. */
  readonly onFault?: FaultReport;
}

const ignoreFault: FaultReport = () => undefined;

/**
 * Opens the queue on Redis or PostgreSQL (spec 01 "Embedded default"). Resolves once the backend answered and its schema is in
 * place, so that queues and workers made from it never meet a first refused connection, from which BullMQ does not recover.
 * @throws RedisMayEvict; after `readyTimeoutMs` StartRefusedError for a Redis that was not reached, else the last connection error
 */
export async function openQueueBackend(options: QueueBackendOptions): Promise<QueueBackend> {
  const report = options.onFault ?? ignoreFault;
  const driver = await openDriver(options, report);
  return new BullmqQueueBackend(driver, {
    deadlineMs: options.deadlineMs ?? 1500,
    lockDurationMs: options.lockDurationMs ?? 10_000,
    stalledIntervalMs: options.stalledIntervalMs ?? 5000,
  });
}

function openDriver(options: QueueBackendOptions, report: FaultReport): Promise<QueueDriver> {
  const readyTimeoutMs = options.readyTimeoutMs ?? 30_000;
  if (options.redisUrl !== undefined) {
    const { redisUrl, prefix = '{offshoot}', allowEviction = false } = options;
    return openRedisQueueDriver({ redisUrl, prefix, allowEviction, readyTimeoutMs, report });
  }
  const { databaseUrl, applicationName = 'offshoot-queue' } = options;
  return openPostgresQueueDriver({ databaseUrl, applicationName, readyTimeoutMs, report });
}
