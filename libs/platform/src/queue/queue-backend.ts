import type { JobId } from './job-id.js';

/** Ids only: what a job means is read from the log when it starts, so that a wiped queue loses nothing (house rule 4.1). */
export type JobPayload = Readonly<Record<string, string | number>>;

/** One job to put on a queue. */
export interface QueuedJob {
  readonly id: JobId;
  readonly payload: JobPayload;
}

/** A job as its processor sees it. The payload came from outside the process: parse it. */
export interface TakenJob {
  readonly id: string;
  readonly payload: unknown;
  /** Whether somebody took this very job before, and gave it back or was lost with it. */
  readonly isTakenAgain: boolean;
}

/**
 * Does one job. `token` names this taking of the job; `signal` aborts when the worker closes. It answers nothing, because a
 * return value would be stored. A throw drops the job: the log, not the queue, decides whether it is sent again.
 */
export type JobProcessor = (job: TakenJob, token: string, signal: AbortSignal) => Promise<void>;

/**
 * `ok` means the backend holds these ids: newly, or because it kept them from before (then nothing runs again).
 * Otherwise nothing is certain: the jobs may still arrive, so they are sent again later under the same or a new id.
 */
export type EnqueueOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly code: 'QUEUE_UNREACHABLE';
      readonly message: string;
      readonly cause: unknown;
    };

/** Jobs by state; failed jobs are removed at once, so there is no count of them. */
export interface QueueDepth {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
}

/** The sending side of one queue. No call waits longer than its deadline, whatever the backend does (field case Q06). */
export interface JobQueue {
  readonly name: string;
  enqueue(...jobs: readonly QueuedJob[]): Promise<EnqueueOutcome>;
  /** @throws when the backend does not answer within the deadline */
  depth(): Promise<QueueDepth>;
  close(): Promise<void>;
}

/** `drained` is false when jobs were still running after the grace and were left to the stalled check of another worker. */
export interface WorkerClosed {
  readonly drained: boolean;
  readonly leftRunning: readonly string[];
}

/** The taking side of one queue. */
export interface JobWorker {
  readonly name: string;
  /** Ids of the jobs that run right now. */
  running(): readonly string[];
  /** Takes no further job; jobs that were being fetched are handed back. Running jobs go on. Returns at once. */
  stopTaking(): Promise<void>;
  resumeTaking(): Promise<void>;
  /**
   * Stops taking, lets running jobs end for `graceMs`, then aborts their signals, gives them a second, and closes in any case.
   * Abort your runs before calling it when they would outlast the grace. Later calls answer the first one's outcome.
   */
  close(graceMs: number): Promise<WorkerClosed>;
}

/** How many jobs of a queue one worker does at once. */
export interface JobWorkerOptions {
  readonly concurrency: number;
}

/** A trouble that did not end anything: connections come back by themselves. For logs and readiness. */
export interface QueueFault {
  readonly source: string;
  readonly error: unknown;
}

/** One open backend, Redis or PostgreSQL; both keep the same promises. Also the injection token. */
export abstract class QueueBackend {
  abstract readonly kind: 'redis' | 'postgres';
  abstract createQueue(name: string): Promise<JobQueue>;
  abstract createWorker(name: string, processor: JobProcessor, options: JobWorkerOptions): Promise<JobWorker>;
  /** Whether the backend answers now, within the deadline; never throws. For readiness. */
  abstract answers(): Promise<boolean>;
  /** Closes what is still open: workers with the given grace, then queues, then connections. */
  abstract close(graceMs?: number): Promise<void>;
}
