import { clampPage, storeLimits } from '../store-limits.js';
import type { StreamPage } from '../transcript-store.js';
import { completeRows } from './complete-rows.js';
import { eventColumns, type EventRow } from './event-row.js';
import { queryText, type SqlClient } from './sql-client.js';

// Sizes come from the row's header, so a payload past the byte limit of the page is never fetched from its TOAST table.
// The hash before a page that does not begin the stream comes with its first event.
const text = `select *, (select max(version) from event where stream = $1) as head,
  case when version - 1 = $2 then (select encode(hash, 'hex') from event where stream = $1 and version = $2) end as hash_before
from (
  select ${eventColumns},
    sum(coalesce(blob_size, octet_length(data))) over (order by version rows unbounded preceding)
      - coalesce(blob_size, octet_length(data)) as bytes_before
  from event where stream = $1 and version > $2 order by version limit $3) page
where bytes_before < $4`;

interface StreamRow extends EventRow {
  readonly head: string;
}

// A stream that is no UUID cannot exist; asked about, it must not become an error of the database.
export const streamId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The highest version that a stream can have. */
export const maxVersion = 2 ** 31 - 1;

/** One page of a stream, by events and by bytes. */
export async function readStream(
  client: SqlClient,
  stream: string,
  after: number,
  limit?: number,
): Promise<StreamPage> {
  if (!streamId.test(stream)) return { events: [], next: null };
  const start = Math.min(Math.max(Math.trunc(after), 0), maxVersion);
  const rows = await queryText<StreamRow>(client, 'read-stream', text, [
    stream,
    start,
    clampPage(limit),
    storeLimits.pageBytes,
  ]);
  const last = rows.at(-1);
  const isEnd = last === undefined || last.version === last.head;
  return { events: await completeRows(client, rows), next: isEnd ? null : Number(last.version) };
}
