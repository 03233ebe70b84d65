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

/**
 * A small page with all that a reader at the end of the log asks about it: the hash before each event, whether rows lie behind the page, and
 * how often events were taken away. One line without an event where nothing is to be read. Parameters as above.
 */
export const smallPageText = `with page as materialized (${pageText}),
  behind as materialized (select exists (select 1 from event
    where (generation, xid, position) > (
      select generation, xid, position from page union all select $1::int, $2::xid8, $3::bigint
      order by generation desc, xid desc, position desc limit 1)) as is_behind)
select page.*, behind.is_behind, log_identity.drops,
  (select encode(before.hash, 'hex') from event before
   where before.stream = page.stream and before.version = page.version - 1) as hash_before
from behind cross join log_identity left join page on true
order by generation, xid, position`;

// Rows behind the page are held back, or became ready since it was read; both mean "read again soon".
const behindText = `select exists (select 1 from event
  where (generation, xid, position) > ($1::int, $2::xid8, $3::bigint)) as behind, (select drops from log_identity) as drops`;
const dropsText = 'select drops from log_identity';

// A place stays one of the log when its event is archived.
const endText = `select * from (
  (select generation, xid, position from event where (generation, xid, position) < ${horizon}
   order by generation desc, xid desc, position desc limit 1)
  union all
  select dropped_generation, dropped_xid, dropped_position from log_identity where dropped_position is not null) places
order by generation desc, xid desc, position desc limit 1`;

type PlaceRow = Pick<EventRow, 'generation' | 'xid' | 'position'>;

/**
 * One page of the log, by events and by bytes, never past the oldest transaction that still runs. How often events were taken away is read
 * behind the page: what the page does not show for that reason is counted.
 */
export async function readLog(client: SqlClient, after: LogPlace | null, limit?: number): Promise<LogPage> {
  const size = clampPage(limit);
  if (size <= storeLimits.tailPageEvents) return readSmall(client, after, size);
  const values = [...placeValues(after), size, storeLimits.pageBytes];
  const rows = await queryText<EventRow>(client, 'read-log', pageText, values);
  const events = await completeRows(client, rows);
  const next = events.at(-1)?.place ?? after;
  if (isFull(rows, size)) return { events, next, more: true, held: false, drops: await readDrops(client) };
  const { behind, drops } = await readBehind(client, next);
  return { events, next, more: behind, held: behind, drops };
}

async function readSmall(client: SqlClient, after: LogPlace | null, size: number): Promise<LogPage> {
  const values = [...placeValues(after), size, storeLimits.pageBytes];
  const lines = await queryText<SmallPageRow>(client, 'read-log-small', smallPageText, values);
  const rows = lines.filter((line): line is EventRow & TailColumns => line.stream !== null);
  const events = await completeRows(client, rows);
  const next = events.at(-1)?.place ?? after;
  const full = isFull(rows, size);
  const isBehind = lines[0]?.is_behind === 't';
  return {
    events,
    next,
    more: full || isBehind,
    held: !full && isBehind,
    drops: Number(lines[0]?.drops ?? 0),
  };
}

interface TailColumns {
  readonly is_behind: 't' | 'f';
  readonly drops: string;
}
/** Without an event every column of the page is null. */
type SmallPageRow = TailColumns & (EventRow | { readonly stream: null });

/** A page that its limits ended says nothing about what lies behind it. */
function isFull(rows: readonly EventRow[], size: number): boolean {
  const sizeBytes = rows.reduce((sum, row) => sum + Number(row.size), 0);
  return rows.length === size || sizeBytes >= storeLimits.pageBytes;
}

/** The place of the last event that `readLog` would deliver now, `null` when there is none. */
export async function readLogEnd(client: SqlClient): Promise<LogPlace | null> {
  const [row] = await queryText<PlaceRow>(client, 'read-log-end', endText, []);
  return row === undefined
    ? null
    : { generation: Number(row.generation), xid: BigInt(row.xid), position: BigInt(row.position) };
}

async function readBehind(
  client: SqlClient,
  place: LogPlace | null,
): Promise<{ readonly behind: boolean; readonly drops: number }> {
  const [row] = await queryText<{ readonly behind: 't' | 'f'; readonly drops: string }>(
    client,
    'read-log-behind',
    behindText,
    placeValues(place),
  );
  return { behind: row?.behind === 't', drops: Number(row?.drops ?? 0) };
}

async function readDrops(client: SqlClient): Promise<number> {
  const [row] = await queryText<{ readonly drops: string }>(client, 'read-log-drops', dropsText, []);
  return Number(row?.drops ?? 0);
}

function placeValues(place: LogPlace | null): unknown[] {
  return place === null ? [0, '0', '0'] : [place.generation, String(place.xid), String(place.position)];
}
