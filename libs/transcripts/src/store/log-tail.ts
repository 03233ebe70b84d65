import type { LogPlace } from '../events/recorded-event.js';
import { nextLimit } from './store-limits.js';
import type { LogPage, TranscriptStore } from './transcript-store.js';
import type { WakeUp } from './wake-up.js';

export interface FollowOptions {
  readonly wakeUp: WakeUp;
  readonly signal: AbortSignal;
  /** Longest pause between two reads when no wake-up comes. */
  readonly pollMs?: number;
  /** Most events of one page. */
  readonly limit?: number;
}

// Most transactions end within milliseconds; one that has been open for a second may stay open for many.
const heldPolls = Object.freeze({ shortReads: 100, shortMs: 10, longMs: 50 });

/**
 * The log behind `after`, for ever: catches up page by page, then follows (spec 03 §2). Yields pages that hold events,
 * in order, each event once; `page.next` is where to go on from. Ends on abort; throws what the store throws, and the
 * caller may follow again from the last page. While rows are held back behind an open transaction it reads every 1 to
 * 10 ms (every 50 ms once that has lasted a second), since nobody will wake it when that transaction ends.
 */
export async function* followLog(
  store: TranscriptStore,
  after: LogPlace | null,
  options: FollowOptions,
): AsyncGenerator<LogPage, void, void> {
  const { wakeUp, signal, pollMs = 1_000, limit } = options;
  let place = after;
  let most = limit;
  let heldReads = 0;
  while (!signal.aborted) {
    const seen = wakeUp.count;
    const page = await store.readLog(place, most);
    place = page.next;
    if (page.events.length > 0 && !isAborted(signal)) yield page;
    most = nextLimit(page, limit);
    heldReads = page.held ? heldReads + 1 : 0;
    if (page.held) await wakeUp.wait(wakeUp.count, heldPauseMs(heldReads), signal);
    else if (!page.more) await wakeUp.wait(seen, pollMs, signal);
  }
}

function heldPauseMs(heldReads: number): number {
  return heldReads > heldPolls.shortReads ? heldPolls.longMs : Math.min(heldReads, heldPolls.shortMs);
}

// A read may outlive the abort; asked through a function because the loop's condition has narrowed the signal.
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
