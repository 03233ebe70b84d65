import type { Job } from 'bullmq';
import type { JobPayload } from './queue-backend.js';

/** What this lib uses of a BullMQ queue, free of the type parameters that differ between the backends. */
export interface BullQueue {
  addBulk(jobs: { name: string; data: JobPayload; opts: object }[]): Promise<unknown>;
  getJobCounts(...types: ('waiting' | 'active' | 'delayed')[]): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** What this lib uses of a BullMQ worker. */
export interface BullWorker {
  pause(doNotWaitActive?: boolean): Promise<void>;
  resume(): Promise<void>;
  cancelAllJobs(reason?: string): void;
  close(force?: boolean): Promise<void>;
}

/** The processor as BullMQ calls it; three declared parameters are what makes it pass a signal. */
export type BullProcessor = (job: Job, token?: string, signal?: AbortSignal) => Promise<void>;

/** How a worker takes jobs and how soon a lost one is taken again. Times in milliseconds. */
export interface WorkerTuning {
  readonly concurrency: number;
  readonly lockDurationMs: number;
  readonly stalledIntervalMs: number;
}

/** A BullMQ object together with the end of the connections that were opened for it. */
export interface Opened<T> {
  readonly bull: T;
  /** Closes the connections at once, whatever still uses them; call it after the object was closed. */
  dispose(): Promise<void>;
}

/** One of the two backends, behind the few operations in which they differ. */
export interface QueueDriver {
  readonly kind: 'redis' | 'postgres';
  openQueue(name: string): Promise<Opened<BullQueue>>;
  openWorker(name: string, processor: BullProcessor, tuning: WorkerTuning): Promise<Opened<BullWorker>>;
  /** Rejects when the backend does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
