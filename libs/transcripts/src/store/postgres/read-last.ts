import type { RecordedEvent } from '../../events/recorded-event.js';
import { completeRows } from './complete-rows.js';
import { eventColumns, type EventRow } from './event-row.js';
import { maxVersion, streamId } from './read-stream.js';
import { queryText, type SqlClient } from './sql-client.js';

// Walks back from the end by the primary key and stops at the first match; payloads on the way are not fetched.
const text = `select ${eventColumns} from event
  where stream = $1 and version <= $2 and type = $3 order by version desc limit 1`;

/** The last event of a type in a stream, at or before a version; `null` when there is none. */
export async function readLast(
  client: SqlClient,
  stream: string,
  type: string,
  upTo: number,
): Promise<RecordedEvent | null> {
  if (!streamId.test(stream)) return null;
  const values = [stream, Math.min(upTo, maxVersion), type];
  const [event] = await completeRows(client, await queryText<EventRow>(client, 'read-last', text, values));
  return event ?? null;
}
