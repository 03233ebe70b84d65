import { decodeEvent } from '../../events/event-codec.js';
import type { LogPlace, RecordedEvent } from '../../events/recorded-event.js';
import { completeRows } from '../../store/postgres/complete-rows.js';
import { eventColumns, type EventRow } from '../../store/postgres/event-row.js';
import { queryText, type SqlClient } from '../../store/postgres/sql-client.js';

/** An agent, and one that it belongs to or inherits from. */
export interface Pointer {
  readonly from: string;
  readonly to: string;
}

const pageSize = 1_000;
const beforeAll = '00000000-0000-0000-0000-000000000000';

// Walks the primary key; the version is judged inside the index.
const everyText = `select ${eventColumns} from event
where stream > $1 and version = 2 and type = 'BootstrapRecorded' order by stream limit ${pageSize}`;

const sinceText = `select ${eventColumns} from event
where (generation, xid, position) > ($1::int, $2::xid8, $3::bigint) and version <= 2
  and type in ('AgentLaunched', 'BootstrapRecorded') order by generation, xid, position`;

/** What every fork of the log inherits from; a bootstrap is the second event of its stream. */
export async function* everyPointer(client: SqlClient): AsyncGenerator<Pointer, void> {
  for (let after: string | null = beforeAll; after !== null;) {
    const rows: readonly EventRow[] = await queryText<EventRow>(client, 'every-bootstrap', everyText, [
      after,
    ]);
    for (const event of await completeRows(client, rows)) yield* pointersOf(event);
    after = rows.length === pageSize ? (rows.at(-1)?.stream ?? null) : null;
  }
}

/** What agents that were launched behind a place point at, by launch and by inheritance. */
export async function pointersSince(client: SqlClient, place: LogPlace): Promise<readonly Pointer[]> {
  const values = [place.generation, String(place.xid), String(place.position)];
  const rows = await queryText<EventRow>(client, 'launched-since', sinceText, values);
  return (await completeRows(client, rows)).flatMap(pointersOf);
}

function pointersOf(record: RecordedEvent): readonly Pointer[] {
  const event = decodeEvent(record);
  const from = record.stream;
  if (event.type === 'AgentLaunched')
    return [event.data.sessionId, event.data.parentId].map((to) => ({ from, to }));
  if (event.type !== 'BootstrapRecorded' || event.data.parent === null) return [];
  return [{ from, to: event.data.parent.agentId }];
}
