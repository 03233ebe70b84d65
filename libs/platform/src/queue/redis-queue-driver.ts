import { createRedisBackend, withBackend } from 'bullmq';
import { Redis } from 'ioredis';
import type {
  BullProcessor,
  BullQueue,
  BullWorker,
  Opened,
  QueueDriver,
  WorkerTuning,
} from './bullmq-shapes.js';
import { connectionFailure } from '../errors/connection-failure.js';
import { StartRefusedError } from '../process/start-refused-error.js';
import { maxStalledCount, queueStreams } from './job-retention.js';
import { parseEviction, RedisMayEvict } from './redis-eviction.js';
import { retryUntil } from './retry-until.js';
import { watchErrors, type FaultReport } from './watch-errors.js';

const redisClasses = withBackend(createRedisBackend);
const connectTimeoutMs = 3000;
const commandTimeoutMs = 5000;

/** What the Redis backend of the queue needs to know. */
export interface RedisQueueOptions {
  readonly redisUrl: string;
  /** Key prefix. In braces it is a hash tag, so that all keys of a queue share one slot of a Redis Cluster. */
  readonly prefix: string;
  readonly readyTimeoutMs: number;
  /** Starts although Redis may evict. */
  readonly allowEviction: boolean;
  readonly report: FaultReport;
}

/**
 * BullMQ on Redis. Waits for the server and refuses one that may evict.
 * @throws {@link RedisMayEvict}, or {@link StartRefusedError} when the server does not answer in time
 */
export async function openRedisQueueDriver(options: RedisQueueOptions): Promise<QueueDriver> {
  const info = await awaitMemoryInfo(options);
  const eviction = parseEviction(info);
  if (eviction.kind === 'evicts' && !options.allowEviction) {
    throw new RedisMayEvict(eviction.policy);
  }
  if (eviction.kind !== 'safe') {
    options.report({
      source: 'redis',
      error: new Error(`Redis eviction policy is not noeviction: ${eviction.kind}.`),
    });
  }
  return new RedisQueueDriver(options);
}

async function awaitMemoryInfo(options: RedisQueueOptions): Promise<string> {
  try {
    return await retryUntil(() => readMemoryInfo(options), { forMs: options.readyTimeoutMs, pauseMs: 200 });
  } catch (error) {
    const reason = connectionFailure(error);
    if (reason === null) throw error;
    const tried = `tried for ${Math.round(options.readyTimeoutMs / 1000)} s`;
    throw new StartRefusedError(`REDIS_URL names a Redis that cannot be reached: ${reason} (${tried}).`, {
      cause: error,
    });
  }
}

async function readMemoryInfo(options: RedisQueueOptions): Promise<string> {
  const client = watchErrors(
    new Redis(options.redisUrl, {
      lazyConnect: true,
      connectTimeout: connectTimeoutMs,
      commandTimeout: commandTimeoutMs,
      retryStrategy: () => null,
    }),
    'REDIS_URL',
    options.report,
  );
  let cause: unknown;
  client.on('error', (error) => (cause ??= error));
  try {
    await client.connect();
    return await client.info('memory');
  } catch (error) {
    // The promise says "Connection is closed"; why, was an event.
    throw cause ?? error;
  } finally {
    client.disconnect();
  }
}

class RedisQueueDriver implements QueueDriver {
  readonly kind = 'redis';
  readonly #options: RedisQueueOptions;
  readonly #clients = new Set<Redis>();
  #producer: Redis | undefined;

  constructor(options: RedisQueueOptions) {
    this.#options = options;
  }

  async openQueue(name: string): Promise<Opened<BullQueue>> {
    const { prefix, report } = this.#options;
    const queue = new redisClasses.Queue(name, {
      connection: this.#producerClient(),
      prefix,
      streams: queueStreams,
    });
    watchErrors(queue, `queue ${name}`, report);
    await queue.waitUntilReady();
    return { bull: queue, dispose: () => Promise.resolve() };
  }

  async openWorker(
    name: string,
    processor: BullProcessor,
    tuning: WorkerTuning,
  ): Promise<Opened<BullWorker>> {
    const { prefix, report } = this.#options;
    const client = this.#connect(`worker of ${name}`, { maxRetriesPerRequest: null });
    const worker = new redisClasses.Worker(name, processor, {
      connection: client,
      prefix,
      autorun: false,
      concurrency: tuning.concurrency,
      lockDuration: tuning.lockDurationMs,
      stalledInterval: tuning.stalledIntervalMs,
      runRetryDelay: 1000,
      maxStalledCount,
    });
    watchErrors(worker, `worker of ${name}`, report);
    await worker.waitUntilReady();
    worker.run().catch((error: unknown) => report({ source: `worker of ${name}`, error }));
    return { bull: worker, dispose: () => this.#drop(client) };
  }

  async ping(): Promise<void> {
    await this.#producerClient().ping();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients].map((client) => this.#drop(client)));
  }

  /** Fails at once while Redis is away instead of piling up commands; the log sends the jobs again. */
  #producerClient(): Redis {
    this.#producer ??= this.#connect('queue client', {
      maxRetriesPerRequest: 1,
      commandTimeout: commandTimeoutMs,
    });
    return this.#producer;
  }

  #connect(source: string, options: { maxRetriesPerRequest: number | null; commandTimeout?: number }): Redis {
    const retryStrategy = (times: number): number => Math.min(50 * 2 ** Math.min(times, 10), 1000);
    const client = new Redis(this.#options.redisUrl, {
      connectTimeout: connectTimeoutMs,
      retryStrategy,
      ...options,
    });
    watchErrors(client, source, this.#options.report);
    this.#clients.add(client);
    return client;
  }

  #drop(client: Redis): Promise<void> {
    this.#clients.delete(client);
    client.disconnect();
    return Promise.resolve();
  }
}
