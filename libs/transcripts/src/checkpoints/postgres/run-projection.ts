import type { Pool } from 'pg';
import { type FaultyEvent, isSound, type LogPlace, type RecordedEvent } from '../../events/recorded-event.js';
import type { LogSource } from '../../store/shared-pages.js';
import type { WakeUp } from '../../store/wake-up.js';
import { applyPage, isSamePlace, type ApplyEvents } from './apply-page.js';
import { readCheckpoint } from './checkpoints.js';

/**
 * One reader of the log with a checkpoint, run by any number of processes at once. It is *active* or *standing by*:
 *
 * - active: reads the page behind its place, applies it and saves the checkpoint in one transaction, goes on. Events that
 *   do not concern it, and those that are damaged, are passed, and the checkpoint follows. Another runner holds the lock or has moved the checkpoint → standing by.
 * - standing by: looks at the checkpoint every `standbyMs`. It moved → goes on standing by from there. It stands still
 *   → reads; is there a page, then it tries to apply it, and is active when it could.
 * - a failure in either: reported, a pause that doubles up to 5 s, the checkpoint read again.
 */
export interface ProjectionOptions {
  /** Names the checkpoint: for ever, or until a rebuild. */
  readonly name: string;
  /** Where pages come from: the store itself, or what all readers of the process share. */
  readonly store: LogSource;
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
  /**
   * Which events `apply` does anything with; all of them unless given. The others are passed without a transaction: the checkpoint
   * follows within a quarter of a second, and who starts again before it did passes them again.
   */
  readonly concerns?: (event: RecordedEvent) => boolean;
  /**
   * Called for each event of a page that is not what was recorded: nothing is read out of it, so no reader gets it and all go on behind it.
   * Called again where a page is read again. Must not throw.
   */
  readonly onSkipped?: (event: FaultyEvent) => void;
  /** True for the reader that acts on damage: it gets these events too, and all of them. */
  readonly takesDamage?: boolean;
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
const heldMs = 2;
/** How long a checkpoint may stand behind events that were passed: less than a standby waits before it takes over. */
const passedMs = 250;

/** Runs the reader until `signal` aborts. Never rejects: failures are reported and tried again. */
export async function runProjection(options: ProjectionOptions): Promise<void> {
  let state: RunnerState | null = null;
  let failures = 0;
  while (!options.signal.aborted) {
    try {
      state ??= stateAt(await readCheckpoint(options.pool, options.name), false);
      state = await step(options, state);
      failures = 0;
    } catch (error) {
      options.onError?.(error);
      state = null;
      await pause(options, Math.min(25 * 2 ** failures, longestBackoffMs));
      failures += 1;
    }
  }
  if (state !== null) await savePassed(options, state).catch((error: unknown) => options.onError?.(error));
}

interface RunnerState {
  readonly place: LogPlace | null;
  readonly isStandby: boolean;
  /** Where the checkpoint stands, and since when it has been behind `place`; the same place, and null, while it is not. */
  readonly saved: LogPlace | null;
  readonly passedAtMs: number | null;
}

const stateAt = (place: LogPlace | null, isStandby: boolean): RunnerState => ({
  ...{ place, isStandby },
  ...{ saved: place, passedAtMs: null },
});

async function step(options: ProjectionOptions, state: RunnerState): Promise<RunnerState> {
  if (state.isStandby) {
    await pause(options, options.standbyMs ?? 500);
    const place = await readCheckpoint(options.pool, options.name);
    if (!isSamePlace(place, state.place)) return stateAt(place, true);
  }
  return overdueMs(state) === 0 ? savePassed(options, state) : applyNext(options, state);
}

async function applyNext(options: ProjectionOptions, state: RunnerState): Promise<RunnerState> {
  const { store, wakeUp, signal, gatherMs = 0, limit } = options;
  const seen = wakeUp.count;
  const page = await store.readLog(state.place, limit);
  if (page.next === null || page.events.length === 0) {
    if (page.held) await pause(options, Math.max(heldMs, gatherMs));
    else if (!state.isStandby) await waitAndGather(options, seen, overdueMs(state));
    return state;
  }
  if (signal.aborted) return state;
  const after = await takePage(options, state, { events: page.events, next: page.next });
  if (!page.more) await pause(options, gatherMs);
  return after;
}

interface NextPage {
  readonly events: readonly RecordedEvent[];
  readonly next: LogPlace;
}

/** Who stands by takes nothing for granted: it becomes active by a transaction, whatever the events are. */
function takePage(
  options: ProjectionOptions,
  state: RunnerState,
  { events, next }: NextPage,
): Promise<RunnerState> {
  const wanted = events.filter((event) =>
    isSound(event) ? concerns(options, event) : isTaken(options, event),
  );
  if (wanted.length > 0 || state.isStandby) return applyOrStandBy(options, state, { events: wanted, next });
  return Promise.resolve({ ...state, place: next, passedAtMs: state.passedAtMs ?? performance.now() });
}

const concerns = ({ concerns: judge }: ProjectionOptions, event: RecordedEvent): boolean =>
  judge?.(event) ?? true;

function isTaken({ takesDamage = false, onSkipped }: ProjectionOptions, event: FaultyEvent): boolean {
  if (!takesDamage) onSkipped?.(event);
  return takesDamage;
}

/** Milliseconds until the checkpoint has to follow; infinite while nothing was passed. */
function overdueMs({ passedAtMs }: RunnerState): number {
  return passedAtMs === null ? Infinity : Math.max(0, passedAtMs + passedMs - performance.now());
}

async function savePassed(options: ProjectionOptions, state: RunnerState): Promise<RunnerState> {
  if (state.place === null || state.passedAtMs === null) return state;
  return applyOrStandBy(options, state, { events: [], next: state.place });
}

async function waitAndGather(options: ProjectionOptions, seen: number, mostMs: number): Promise<void> {
  const { wakeUp, pollMs = 1_000, gatherMs = 0, signal } = options;
  await wakeUp.wait(seen, Math.min(pollMs, mostMs), signal);
  await pause(options, gatherMs);
}

async function applyOrStandBy(
  { name, pool, apply, onApplied }: ProjectionOptions,
  { saved }: RunnerState,
  { events, next }: NextPage,
): Promise<RunnerState> {
  const work = events.length === 0 ? nothing : apply;
  const isApplied = await applyPage(pool, { reader: name, after: saved, next, events }, work);
  if (!isApplied) return stateAt(await readCheckpoint(pool, name), true);
  if (events.length > 0) onApplied?.();
  return stateAt(next, false);
}

const nothing: ApplyEvents = () => Promise.resolve();

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
