import { asJson, number, text } from './read.js';
import type { TranscriptRecord } from './transcript.js';

/** How a run ended, or `open` while it goes on. */
export type RunEnd = 'open' | 'parked' | 'interrupted' | 'released' | 'completed' | 'failed' | 'cancelled';

/** One run of an agent: an epoch on a worker. */
export interface Run {
  readonly epoch: number;
  readonly worker: string | null;
  /** `launch`, `revival` or `resume`. */
  readonly reason: string | null;
  readonly startedAt: string;
  /** Null while the run is open. */
  readonly endedAt: string | null;
  readonly end: RunEnd;
  /** Why it was parked, interrupted or ended; null when the record does not say. */
  readonly cause: string | null;
  readonly turns: number;
  readonly calls: number;
}

const ends: Readonly<Record<string, RunEnd>> = {
  RunParked: 'parked',
  RunInterrupted: 'interrupted',
  RunReleased: 'released',
  AgentCompleted: 'completed',
  AgentFailed: 'failed',
  AgentCancelled: 'cancelled',
};

/** Folds a transcript into its runs, in the order of their epochs (spec 03 §1, §5). */
export function projectRuns(records: readonly TranscriptRecord[]): readonly Run[] {
  const runs: Run[] = [];
  for (const record of records) {
    if (record.name === 'RunStarted') runs.push(startedRun(record, runs.length + 1));
    const last = runs.at(-1);
    if (last?.end === 'open') runs[runs.length - 1] = advanced(last, record);
  }
  return runs;
}

const startedRun = (record: TranscriptRecord, ordinal: number): Run => ({
  epoch: number(record.facts, 'epoch') ?? ordinal,
  worker: text(record.facts, 'workerId', 'worker'),
  reason: text(record.facts, 'reason'),
  startedAt: record.at,
  endedAt: null,
  end: 'open',
  cause: null,
  turns: 0,
  calls: 0,
});

function advanced(run: Run, record: TranscriptRecord): Run {
  const end = Object.hasOwn(ends, record.name) ? ends[record.name] : undefined;
  if (end !== undefined) {
    return {
      ...run,
      end,
      endedAt: record.at,
      cause: text({ ...asJson(record.facts['outcome']), ...record.facts }, 'cause', 'reason'),
    };
  }
  if (record.name === 'TurnRecorded') return { ...run, turns: run.turns + 1 };
  return record.name === 'ToolCallStarted' ? { ...run, calls: run.calls + 1 } : run;
}

/** A run's bar on a common track: `start` and `length` as shares of the whole, between 0 and 1. */
export interface RunSpan {
  readonly start: number;
  readonly length: number;
}

/** Places every run between the first start and `now` (or the last end, when no run is open). */
export function runSpans(runs: readonly Run[], nowMs: number): readonly RunSpan[] {
  const begins = runs.map((run) => Date.parse(run.startedAt));
  const finishes = runs.map((run, index) =>
    run.endedAt === null ? Math.max(nowMs, begins[index] ?? nowMs) : Date.parse(run.endedAt),
  );
  const first = Math.min(...begins);
  const whole = Math.max(...finishes) - first;
  return runs.map((_, index) => {
    const begin = begins[index] ?? first;
    if (!(whole > 0)) return { start: 0, length: 1 };
    return {
      start: (begin - first) / whole,
      length: Math.max(0, ((finishes[index] ?? begin) - begin) / whole),
    };
  });
}
