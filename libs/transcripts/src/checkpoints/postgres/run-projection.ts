import type { Pool } from 'pg';
import type { LogPlace, RecordedEvent } from '../../events/recorded-event.js';
import type { TranscriptStore } from '../../store/transcript-store.js';
import type { WakeUp } from '../../store/wake-up.js';
import { applyPage, isSamePlace, type ApplyEvents } from './apply-page.js';
import { readCheckpoint } from './checkpoints.js';

/**
 * One reader of the log with a checkpoint, run by any number of processes at once. It is *active* or *standing by*:
 *
 * - active: reads the page behind its place, applies it and saves the checkpoint in one transaction, goes on.
 *   Another runner holds the lock or has moved the checkpoint → standing by.
 * - standing by: looks at the checkpoint every `standbyMs`. It moved → goes on standing by from there. It stands still
 *   → reads; is there a page, then it tries to apply it, and is active when it could.
 * - a failure in either: reported, a pause that doubles up to 5 s, the checkpoint read again.
 */
export interface ProjectionOptions {
  /** Names the checkpoint: for ever, or until a rebuild. */
  readonly name: string;
  readonly store: TranscriptStore;
  /** Pool for the transactions; not the store's own. */
  readonly pool: Pool;
  readonly wakeUp: WakeUp;
  /** Ends the loop after the page in hand. */
  readonly signal: AbortSignal;
  /**
   * Must write through the given client only, and soon: from its first write on, readers of the whole log wait for the
   * end of the transaction. Effects outside of the database happen at least once.
   */
  readonly apply: ApplyEvents;
  /** Called after the effects of a page are committed, and not before: who looks earlier sees none of them. Must not throw. */
  readonly onApplied?: () => void;
  readonly onError?: (error: unknown) => void;
  readonly pollMs?: number;
  /**
   * How long events may gather before they are read, 0 unless given. A reader that nobody waits for saves transactions so, and
   * leaves the first look at an event to those that somebody does wait for.
   */
  readonly gatherMs?: number;
  readonly standbyMs?: number;
  /** Most events of one page. */
  readonly limit?: number;
}

const longestBackoffMs = 5_000;
/** Nobody says when the transaction that holds events back ends. */
const heldMs = 5;

/** Runs the reader until `signal` aborts. Never rejects: failures are reported and tried again. */
export async function runProjection(options: ProjectionOptions): Promise<void> {
  let state: RunnerState | null = null;
  let failures = 0;
  while (!options.signal.aborted) {
    try {
      state ??= { place: await readCheckpoint(options.pool, options.name), isStandby: false };
      state = await step(options, state);
      failures = 0;
    } catch (error) {
      options.onError?.(error);
      state = null;
      await pause(options, Math.min(25 * 2 ** failures, longestBackoffMs));
      failures += 1;
    }
  }
}

interface RunnerState {
  readonly place: LogPlace | null;
  readonly isStandby: boolean;
}

async function step(options: ProjectionOptions, state: RunnerState): Promise<RunnerState> {
  if (state.isStandby) {
    await pause(options, options.standbyMs ?? 500);
    const place = await readCheckpoint(options.pool, options.name);
    if (!isSamePlace(place, state.place)) return { place, isStandby: true };
  }
  return applyNext(options, state);
}

async function applyNext(options: ProjectionOptions, state: RunnerState): Promise<RunnerState> {
  const { store, wakeUp, signal, gatherMs = 0, limit } = options;
  const seen = wakeUp.count;
  const page = await store.readLog(state.place, limit);
  if (page.next === null || page.events.length === 0) {
    if (page.held) await pause(options, Math.max(heldMs, gatherMs));
    else if (!state.isStandby) await waitAndGather(options, seen);
    return state;
  }
  if (signal.aborted) return state;
  const applied = await applyOrStandBy(options, state, { ...page, next: page.next });
  if (!page.more) await pause(options, gatherMs);
  return applied;
}

async function waitAndGather(options: ProjectionOptions, seen: number): Promise<void> {
  const { wakeUp, pollMs = 1_000, gatherMs = 0, signal } = options;
  await wakeUp.wait(seen, pollMs, signal);
  await pause(options, gatherMs);
}

async function applyOrStandBy(
  { name, pool, apply, onApplied }: ProjectionOptions,
  { place }: RunnerState,
  { events, next }: { readonly events: readonly RecordedEvent[]; readonly next: LogPlace },
): Promise<RunnerState> {
  const isApplied = await applyPage(pool, { reader: name, after: place, next, events }, apply);
  if (!isApplied) return { place: await readCheckpoint(pool, name), isStandby: true };
  onApplied?.();
  return { place: next, isStandby: false };
}

// A wait that no wake-up shortens.
async function pause({ signal }: ProjectionOptions, timeoutMs: number): Promise<void> {
  if (signal.aborted || timeoutMs === 0) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, timeoutMs);
    signal.addEventListener('abort', done);
  });
}
