import type { LogPlace } from '../../events/recorded-event.js';
import { queryText, type SqlClient } from './sql-client.js';

// Within a stream versions and places have one order, so the first match from the end is the last version. One index lookup a stream.
const text = `select wanted.stream, head.version from unnest($1::uuid[]) wanted(stream)
  cross join lateral (select version from event
    where event.stream = wanted.stream and (generation, xid, position) <= ($2::int, $3::xid8, $4::bigint)
    order by version desc limit 1) head`;

/** The last version of each stream that stands at or before a place of the log; a stream of which none does is left out. */
export async function versionsAt(
  client: SqlClient,
  streams: readonly string[],
  place: LogPlace,
): Promise<ReadonlyMap<string, number>> {
  const values = [[...streams], place.generation, String(place.xid), String(place.position)];
  const rows = await queryText<{ readonly stream: string; readonly version: string }>(
    client,
    'versions-at',
    text,
    values,
  );
  return new Map(rows.map(({ stream, version }) => [stream, Number(version)]));
}
