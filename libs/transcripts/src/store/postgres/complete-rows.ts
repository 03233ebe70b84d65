import type { RecordedEvent } from '../../events/recorded-event.js';
import { intArray, uuidArray } from './binary-array.js';
import { readPayloads } from './blobs.js';
import { recordedEvent, type EventRow, type RowPayload } from './event-row.js';
import { queryText, type SqlClient } from './sql-client.js';

const hashesText = `select e.stream, e.version, encode(e.hash, 'hex') as hash
from unnest($1::uuid[], $2::int[]) p(stream, version) join event e on e.stream = p.stream and e.version = p.version`;

/**
 * Makes events of rows: fetches payloads from the blob table and hashes of predecessors that are not among the rows. A row that is not what was
 * recorded becomes an event with a fault; it stops none of the others.
 */
export async function completeRows(
  client: SqlClient,
  rows: readonly EventRow[],
): Promise<readonly RecordedEvent[]> {
  const blobs = await readPayloads(client, new Set(rows.flatMap((row) => row.blob ?? [])));
  const hashes = await hashesBefore(client, rows);
  return rows.map((row) => {
    const payload = row.blob === null ? row : (blobs.get(row.blob) ?? missing);
    return recordedEvent(row, payload, hashes.get(at(row.stream, Number(row.version) - 1)) ?? null);
  });
}

async function hashesBefore(
  client: SqlClient,
  rows: readonly EventRow[],
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map(rows.map((row) => [at(row.stream, Number(row.version)), row.hash]));
  for (const { stream, version, hash_before: before } of rows)
    if (before !== undefined && before !== null) hashes.set(at(stream, Number(version) - 1), before);
  const wanted = rows
    .filter((row) => row.hash_before === undefined)
    .map((row) => ({ stream: row.stream, version: Number(row.version) - 1 }))
    .filter(({ stream, version }) => version > 0 && !hashes.has(at(stream, version)));
  if (wanted.length === 0) return hashes;
  interface Row {
    readonly stream: string;
    readonly version: string;
    readonly hash: string;
  }
  const found = await queryText<Row>(client, 'hashes-before', hashesText, [
    uuidArray(wanted.map(({ stream }) => stream)),
    intArray(wanted.map(({ version }) => version)),
  ]);
  for (const row of found) hashes.set(at(row.stream, Number(row.version)), row.hash);
  return hashes;
}

function at(stream: string, version: number): string {
  return `${stream}/${version}`;
}

const missing: RowPayload = Object.freeze({ fault: 'payload_missing' });
