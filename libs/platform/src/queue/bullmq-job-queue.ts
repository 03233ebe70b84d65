import type { BullQueue, Opened } from './bullmq-shapes.js';
import { jobRetention } from './job-retention.js';
import type { EnqueueOutcome, JobQueue, QueueDepth, QueuedJob } from './queue-backend.js';
import { withinDeadline } from './within-deadline.js';

/** A queue of either backend; its calls carry a deadline of their own, because BullMQ waits for its connection without end. */
export class BullmqJobQueue implements JobQueue {
  readonly name: string;
  readonly #opened: Opened<BullQueue>;
  readonly #deadlineMs: number;
  #closed: Promise<void> | undefined;

  constructor(name: string, opened: Opened<BullQueue>, deadlineMs: number) {
    this.name = name;
    this.#opened = opened;
    this.#deadlineMs = deadlineMs;
  }

  async enqueue(...jobs: readonly QueuedJob[]): Promise<EnqueueOutcome> {
    if (jobs.length === 0) {
      return { ok: true };
    }
    const bulk = jobs.map(({ id, payload }) => ({
      name: this.name,
      data: payload,
      opts: { ...jobRetention, jobId: id },
    }));
    try {
      await withinDeadline(this.#opened.bull.addBulk(bulk), this.#deadlineMs, `Enqueueing on ${this.name}`);
      return { ok: true };
    } catch (cause) {
      const message = `The queue ${this.name} did not take ${jobs.length} jobs: ${cause instanceof Error ? cause.message : String(cause)}`;
      return { ok: false, code: 'QUEUE_UNREACHABLE', message, cause };
    }
  }

  async depth(): Promise<QueueDepth> {
    const counting = this.#opened.bull.getJobCounts('waiting', 'active', 'delayed');
    const counts = await withinDeadline(counting, this.#deadlineMs, `Counting ${this.name}`);
    return {
      waiting: counts['waiting'] ?? 0,
      active: counts['active'] ?? 0,
      delayed: counts['delayed'] ?? 0,
    };
  }

  close(): Promise<void> {
    this.#closed ??= this.#closeOnce();
    return this.#closed;
  }

  async #closeOnce(): Promise<void> {
    await withinDeadline(this.#opened.bull.close(), this.#deadlineMs, `Closing ${this.name}`).catch(
      () => undefined,
    );
    await this.#opened.dispose();
  }
}
