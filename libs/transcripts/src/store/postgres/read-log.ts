import type { LogPlace } from '../../events/recorded-event.js';
import { clampPage, storeLimits } from '../store-limits.js';
import type { LogPage } from '../transcript-store.js';
import { completeRows } from './complete-rows.js';
import { eventColumns, type EventRow } from './event-row.js';
import { queryText, type SqlClient } from './sql-client.js';

// Everything below is finished for good: no transaction that still runs or will run can add a row there. Rows of older
// generations are below it whatever their xid, because the generation comes first.
const horizon = `((select max(g.generation) from log_generation g), pg_snapshot_xmin(pg_current_snapshot()), 0::bigint)`;

/** Parameters: generation, xid and position to read after, most events, most bytes. */
export const pageText = `select * from (
  select ${eventColumns},
    sum(coalesce(blob_size, octet_length(data))) over (order by generation, xid, position rows unbounded preceding)
      - coalesce(blob_size, octet_length(data)) as bytes_before
  from event
  where (generation, xid, position) > ($1::int, $2::xid8, $3::bigint) and (generation, xid, position) < ${horizon}
  order by generation, xid, position limit $4) page
where bytes_before < $5`;

// Rows behind the page are held back, or became ready since it was read; both mean "read again soon".
const behindText = `select exists (select 1 from event
  where (generation, xid, position) > ($1::int, $2::xid8, $3::bigint)) as behind`;

const endText = `select generation, xid, position from event where (generation, xid, position) < ${horizon}
order by generation desc, xid desc, position desc limit 1`;

type PlaceRow = Pick<EventRow, 'generation' | 'xid' | 'position'>;

/** One page of the log, by events and by bytes, never past the oldest transaction that still runs. */
export async function readLog(client: SqlClient, after: LogPlace | null, limit?: number): Promise<LogPage> {
  const size = clampPage(limit);
  const values = [...placeValues(after), size, storeLimits.pageBytes];
  const rows = await queryText<EventRow>(client, 'read-log', pageText, values);
  const events = await completeRows(client, rows);
  const next = events.at(-1)?.place ?? after;
  const sizeBytes = rows.reduce((sum, row) => sum + Number(row.size), 0);
  if (rows.length === size || sizeBytes >= storeLimits.pageBytes)
    return { events, next, more: true, held: false };
  const held = await hasBehind(client, next);
  return { events, next, more: held, held };
}

/** The place of the last event that `readLog` would deliver now, `null` when there is none. */
export async function readLogEnd(client: SqlClient): Promise<LogPlace | null> {
  const [row] = await queryText<PlaceRow>(client, 'read-log-end', endText, []);
  return row === undefined
    ? null
    : { generation: Number(row.generation), xid: BigInt(row.xid), position: BigInt(row.position) };
}

async function hasBehind(client: SqlClient, place: LogPlace | null): Promise<boolean> {
  const [row] = await queryText<{ readonly behind: 't' | 'f' }>(
    client,
    'read-log-behind',
    behindText,
    placeValues(place),
  );
  return row?.behind === 't';
}

function placeValues(place: LogPlace | null): unknown[] {
  return place === null ? [0, '0', '0'] : [place.generation, String(place.xid), String(place.position)];
}
