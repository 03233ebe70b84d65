import type { QueueDriver } from './bullmq-shapes.js';
import { BullmqJobQueue } from './bullmq-job-queue.js';
import { BullmqJobWorker } from './bullmq-job-worker.js';
import {
  QueueBackend,
  type JobProcessor,
  type JobQueue,
  type JobWorker,
  type JobWorkerOptions,
} from './queue-backend.js';
import { withinDeadline } from './within-deadline.js';

/** Times of one backend, in milliseconds. */
export interface QueueTiming {
  readonly deadlineMs: number;
  readonly lockDurationMs: number;
  readonly stalledIntervalMs: number;
}

/** The port over one driver; it closes what it opened, workers first. */
export class BullmqQueueBackend extends QueueBackend {
  readonly kind: 'redis' | 'postgres';
  readonly #driver: QueueDriver;
  readonly #timing: QueueTiming;
  readonly #queues: JobQueue[] = [];
  readonly #workers: JobWorker[] = [];

  constructor(driver: QueueDriver, timing: QueueTiming) {
    super();
    this.kind = driver.kind;
    this.#driver = driver;
    this.#timing = timing;
  }

  async createQueue(name: string): Promise<JobQueue> {
    const queue = new BullmqJobQueue(name, await this.#driver.openQueue(name), this.#timing.deadlineMs);
    this.#queues.push(queue);
    return queue;
  }

  async createWorker(name: string, processor: JobProcessor, options: JobWorkerOptions): Promise<JobWorker> {
    const tuning = { ...options, ...this.#timing };
    const worker = new BullmqJobWorker(name, processor);
    await worker.start((watched) => this.#driver.openWorker(name, watched, tuning));
    this.#workers.push(worker);
    return worker;
  }

  async answers(): Promise<boolean> {
    const ping = this.#driver.ping().then(() => true);
    return await withinDeadline(ping, this.#timing.deadlineMs, 'Asking the queue backend').catch(() => false);
  }

  async close(graceMs = 0): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close(graceMs)));
    await Promise.all(this.#queues.map((queue) => queue.close()));
    await this.#driver.close();
  }
}
