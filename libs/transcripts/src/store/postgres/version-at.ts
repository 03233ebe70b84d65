import type { LogPlace } from '../../events/recorded-event.js';
import { queryText, type SqlClient } from './sql-client.js';

// Within a stream versions and places have one order, so the first match from the end is the last version.
const text = `select version from event
  where stream = $1 and (generation, xid, position) <= ($2::int, $3::xid8, $4::bigint) order by version desc limit 1`;

/** The last version of a stream that stands at or before a place of the log; 0 when none does. */
export async function versionAt(client: SqlClient, stream: string, place: LogPlace): Promise<number> {
  const values = [stream, place.generation, String(place.xid), String(place.position)];
  const [row] = await queryText<{ readonly version: string }>(client, 'version-at', text, values);
  return row === undefined ? 0 : Number(row.version);
}
