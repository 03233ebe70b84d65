import { storeLimits } from '../store-limits.js';
import type { RecordedEvent } from '../../events/recorded-event.js';
import type { RecordedClaim, WholeStream } from '../transcript-store.js';
import { intArray, uuidArray } from './binary-array.js';
import { completeRows } from './complete-rows.js';
import { eventColumns, type EventRow } from './event-row.js';
import { queryText, type SqlClient } from './sql-client.js';

const text = `select * from (
  select ${eventColumns}, idempotency_key as claim, encode(body_hash, 'hex') as claimed_for, ord,
    sum(coalesce(blob_size, octet_length(data))) over (order by ord, version rows unbounded preceding)
      - coalesce(blob_size, octet_length(data)) as bytes_before
  from unnest($1::uuid[], $2::int[]) with ordinality wanted(wanted_stream, up_to, ord)
  join event on event.stream = wanted_stream and version <= up_to) page
where bytes_before < $3 order by ord, version limit $4`;

interface Row extends EventRow {
  readonly claim: string | null;
  readonly claimed_for: string | null;
}

/** Short streams by one statement; those that were cut off by the limits of a page are left out. */
export async function readStreams(
  client: SqlClient,
  wanted: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, WholeStream>> {
  const rows = await queryText<Row>(client, 'read-streams', text, [
    uuidArray([...wanted.keys()]),
    intArray([...wanted.values()]),
    storeLimits.pageBytes,
    storeLimits.pageEvents,
  ]);
  const streams = new Map<string, { events: RecordedEvent[]; claims: RecordedClaim[] }>();
  for (const [index, event] of (await completeRows(client, rows)).entries()) {
    const whole = streams.get(event.stream) ?? { events: [], claims: [] };
    streams.set(event.stream, whole);
    whole.events.push(event);
    const { claim: key = null, claimed_for: bodyHash = null } = rows[index] ?? {};
    if (key !== null) whole.claims.push({ version: event.version, key, bodyHash: bodyHash ?? '' });
  }
  return new Map([...streams].filter(([stream, { events }]) => events.length === wanted.get(stream)));
}
