import type { RecordedEvent } from '../../events/recorded-event.js';
import { intArray, uuidArray } from './binary-array.js';
import { readPayloads } from './blobs.js';
import { recordedEvent, type EventRow, type RowPayload } from './event-row.js';
import { queryText, type SqlClient } from './sql-client.js';

const hashesText = `select p.place, encode(e.hash, 'hex') as hash
from unnest($1::uuid[], $2::int[]) with ordinality p(stream, version, place) join event e on e.stream = p.stream and e.version = p.version`;

/**
 * Makes events of rows: fetches payloads from the blob table and hashes of predecessors that are not among the rows. A row that is not what was
 * recorded becomes an event with a fault; it stops none of the others.
 */
export async function completeRows(
  client: SqlClient,
  rows: readonly EventRow[],
): Promise<readonly RecordedEvent[]> {
  const blobs = await readPayloads(client, new Set(rows.flatMap((row) => row.blob ?? [])));
  const before = await hashesBefore(client, rows);
  return rows.map((row, index) => {
    const payload = row.blob === null ? row : (blobs.get(row.blob) ?? missing);
    return recordedEvent(row, payload, before[index] ?? null);
  });
}

/** The hash before each row, null at the first of a stream: of the row before it, as the row brought it along, or from the log. */
async function hashesBefore(
  client: SqlClient,
  rows: readonly EventRow[],
): Promise<readonly (string | null)[]> {
  const last = new Map<string, EventRow>();
  const elsewhere: number[] = [];
  const before = rows.map((row, index) => {
    const previous = last.get(row.stream);
    last.set(row.stream, row);
    if (row.version === '1') return null;
    if (previous !== undefined && Number(previous.version) === Number(row.version) - 1) return previous.hash;
    if (row.hash_before === undefined) elsewhere.push(index);
    return row.hash_before ?? null;
  });
  if (elsewhere.length > 0) await fillFrom(client, rows, elsewhere, before);
  return before;
}

async function fillFrom(
  client: SqlClient,
  rows: readonly EventRow[],
  indexes: readonly number[],
  before: (string | null)[],
): Promise<void> {
  interface Row {
    readonly place: string;
    readonly hash: string;
  }
  const found = await queryText<Row>(client, 'hashes-before', hashesText, [
    uuidArray(indexes.map((index) => rows[index]?.stream ?? '')),
    intArray(indexes.map((index) => Number(rows[index]?.version) - 1)),
  ]);
  for (const { place, hash } of found) before[indexes[Number(place) - 1] ?? -1] = hash;
}

const missing: RowPayload = Object.freeze({ fault: 'payload_missing' });
