import type { Pool, PoolClient } from 'pg';
import type { LogPlace, RecordedEvent } from '../../events/recorded-event.js';
import { compareLogPlaces } from '../../store/log-place.js';
import { beginReading, endReading } from './reader-transaction.js';

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
 *
 * What it writes can be read from the log again, so the commit does not wait for the disk: after a crash of the server
 * effects and checkpoint are gone together and the page is applied anew.
 */
export async function applyPage(pool: Pool, page: ReaderPage, apply: ApplyEvents): Promise<boolean> {
  const client = await pool.connect();
  try {
    const begun = await beginReading(client, page.reader);
    const isMine = begun.isAlone && isSamePlace(begun.place, page.after);
    if (isMine) {
      await apply(client, page.events);
      await endReading(client, page.reader, page.next);
    } else await client.query('rollback');
    client.release();
    return isMine;
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}

/** True when both are the same place, or both the beginning of the log. */
export function isSamePlace(a: LogPlace | null, b: LogPlace | null): boolean {
  return a === null || b === null ? a === b : compareLogPlaces(a, b) === 0;
}
