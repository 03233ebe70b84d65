import type { Pool, PoolClient } from 'pg';
import type { LogPlace, RecordedEvent } from '../../events/recorded-event.js';
import { compareLogPlaces } from '../../store/log-place.js';
import { inTransaction } from '../../store/postgres/in-transaction.js';
import { readCheckpoint, saveCheckpoint, takeReaderLock } from './checkpoints.js';

/** One page of one reader: the events behind `after`, up to and with `next`. */
export interface ReaderPage {
  readonly reader: string;
  readonly after: LogPlace | null;
  readonly next: LogPlace;
  readonly events: readonly RecordedEvent[];
}

/** Works on the events of a page; everything it writes through `client` is kept together with the checkpoint. */
export type ApplyEvents = (client: PoolClient, events: readonly RecordedEvent[]) => Promise<void>;

/**
 * Applies a page and saves its checkpoint in one transaction. False, and nothing done, when another runner works for
 * this reader or the checkpoint is no longer where the page was read from: a stale runner cannot apply a page twice.
 */
export function applyPage(pool: Pool, page: ReaderPage, apply: ApplyEvents): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    if (!(await takeReaderLock(client, page.reader))) return false;
    if (!isSamePlace(await readCheckpoint(client, page.reader), page.after)) return false;
    await apply(client, page.events);
    await saveCheckpoint(client, page.reader, page.next);
    return true;
  });
}

/** True when both are the same place, or both the beginning of the log. */
export function isSamePlace(a: LogPlace | null, b: LogPlace | null): boolean {
  return a === null || b === null ? a === b : compareLogPlaces(a, b) === 0;
}
