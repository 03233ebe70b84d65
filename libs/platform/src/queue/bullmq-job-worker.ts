import { WaitingError, type Job } from 'bullmq';
import type { BullProcessor, BullWorker, Opened } from './bullmq-shapes.js';
import type { JobProcessor, JobWorker, WorkerClosed } from './queue-backend.js';
import { withinDeadline } from './within-deadline.js';

const settleMs = 1000;
const closeMs = 5000;

/**
 * A worker of either backend. BullMQ's own close() waits for running jobs without bound, and a later forced close does not
 * shorten it; so the running jobs are counted here and BullMQ is closed once, when it is known how.
 */
export class BullmqJobWorker implements JobWorker {
  readonly name: string;
  readonly #process: JobProcessor;
  readonly #running = new Map<string, Promise<void>>();
  #opened: Opened<BullWorker> | undefined;
  #takes = true;
  #closed: Promise<WorkerClosed> | undefined;

  constructor(name: string, process: JobProcessor) {
    this.name = name;
    this.#process = process;
  }

  /** Binds the worker to its opened BullMQ object; `open` gets the processor that this worker watches. */
  async start(open: (processor: BullProcessor) => Promise<Opened<BullWorker>>): Promise<this> {
    this.#opened = await open((job, token, signal) => this.#take(job, token, signal));
    return this;
  }

  running(): readonly string[] {
    return [...this.#running.keys()];
  }

  async stopTaking(): Promise<void> {
    this.#takes = false;
    await this.#opened?.bull.pause(true);
  }

  async resumeTaking(): Promise<void> {
    this.#takes = true;
    await this.#opened?.bull.resume();
  }

  close(graceMs: number): Promise<WorkerClosed> {
    this.#closed ??= this.#closeOnce(graceMs);
    return this.#closed;
  }

  async #take(job: Job, token: string | undefined, signal: AbortSignal | undefined): Promise<void> {
    if (!this.#takes) {
      // Completing one job may fetch the next at the very moment of stopping (field case Q18): hand it back at once.
      await job.moveToWait(token);
      throw new WaitingError();
    }
    const id = job.id ?? '';
    const work = this.#process(
      { id, payload: job.data as unknown, isTakenAgain: job.attemptsStarted > 1 },
      token ?? '',
      signal ?? new AbortController().signal,
    );
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.#running.set(id, settled);
    try {
      await work;
    } finally {
      this.#running.delete(id);
    }
  }

  async #closeOnce(graceMs: number): Promise<WorkerClosed> {
    await this.stopTaking();
    if (!(await this.#idleWithin(graceMs))) {
      this.#opened?.bull.cancelAllJobs('the worker closes');
      await this.#idleWithin(settleMs);
    }
    const leftRunning = this.running();
    const closing = this.#opened?.bull.close(leftRunning.length > 0) ?? Promise.resolve();
    await withinDeadline(closing, closeMs, `Closing the worker of ${this.name}`).catch(() => undefined);
    await this.#opened?.dispose();
    return { drained: leftRunning.length === 0, leftRunning };
  }

  async #idleWithin(waitMs: number): Promise<boolean> {
    const idle = Promise.all(this.#running.values()).then(() => true);
    return await withinDeadline(idle, waitMs, 'Running jobs').catch(() => false);
  }
}
