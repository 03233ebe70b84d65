import { clampPage, storeLimits } from '../store-limits.js';
import type { FirstEventsPage } from '../transcript-store.js';
import { completeRows } from './complete-rows.js';
import { eventColumns, type EventRow } from './event-row.js';
import { queryText, type SqlClient } from './sql-client.js';

// Walks the primary key; the version is judged inside the index. A payload in the blob table cannot be searched here.
const text = `select * from (
  select ${eventColumns},
    sum(coalesce(blob_size, octet_length(data))) over (order by stream rows unbounded preceding)
      - coalesce(blob_size, octet_length(data)) as bytes_before
  from event where stream > $1 and version = 1 and ($2 = '' or blob is not null or position($2 in data) > 0)
  order by stream limit $3) page
where bytes_before < $4`;

const beforeAll = '00000000-0000-0000-0000-000000000000';

/** One page of the first events of streams, in the order of their ids. */
export async function readFirstEvents(
  client: SqlClient,
  after: string | null,
  mentioning: string,
  limit?: number,
): Promise<FirstEventsPage> {
  const size = clampPage(limit);
  const values = [after ?? beforeAll, mentioning, size, storeLimits.pageBytes];
  const rows = await queryText<EventRow>(client, 'read-first-events', text, values);
  const sizeBytes = rows.reduce((sum, row) => sum + Number(row.size), 0);
  const isFull = rows.length === size || sizeBytes >= storeLimits.pageBytes;
  return { events: await completeRows(client, rows), next: isFull ? (rows.at(-1)?.stream ?? null) : null };
}
