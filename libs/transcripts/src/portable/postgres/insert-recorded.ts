import type { SoundEvent } from '../../events/recorded-event.js';
import type { BlobReference, IdempotencyClaim } from '../../store/transcript-store.js';
import { byteaArray, intArray, textArray, uuidArray } from '../../store/postgres/binary-array.js';
import { queryText, type SqlClient } from '../../store/postgres/sql-client.js';

/** An event to be recorded as it is; without a time it gets the database's. */
export type ImportedEvent = Omit<SoundEvent, 'place' | 'recordedAt' | 'previousHash'> & {
  readonly recordedAt: string | null;
  /** The key of the command that recorded it; no other event of its tenant may have it. */
  readonly claim?: IdempotencyClaim | null;
};

// The unique key of stream and version is the only judge: an event that is there already fails the whole transaction.
const text = `insert into event (generation, stream, version, id, type, schema, actor, tenant, causation, correlation, trace,
  data, blob, blob_size, hash, recorded_at, idempotency_key, body_hash)
select (select max(g.generation) from log_generation g), e.stream, e.version, e.id, e.type, e.schema, e.actor, e.tenant,
  e.causation, e.correlation, e.trace, e.data, e.blob, e.blob_size, e.hash,
  coalesce(e.recorded_at::timestamptz, clock_timestamp()), e.idempotency_key, e.body_hash
from unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[],
  $10::text[], $11::text[], $12::bytea[], $13::int[], $14::bytea[], $15::text[], $16::text[], $17::bytea[]) with ordinality
  e(stream, version, id, type, schema, actor, tenant, causation, correlation, trace, data, blob, blob_size, hash,
    recorded_at, idempotency_key, body_hash, n)
order by e.n`;

/** Inserts events with their versions, hashes and times, in the given order. `blobs` holds payloads that are stored already. */
export async function insertRecorded(
  client: SqlClient,
  events: readonly ImportedEvent[],
  blobs: ReadonlyMap<ImportedEvent, BlobReference>,
): Promise<void> {
  const stored = events.map((event) => blobs.get(event) ?? null);
  await queryText(client, 'insert-recorded', text, [
    uuidArray(events.map((event) => event.stream)),
    intArray(events.map((event) => event.version)),
    uuidArray(events.map((event) => event.id)),
    textArray(events.map((event) => event.type)),
    intArray(events.map((event) => event.schema)),
    textArray(events.map((event) => event.actor)),
    textArray(events.map((event) => event.tenant)),
    textArray(events.map((event) => event.causation ?? null)),
    textArray(events.map((event) => event.correlation ?? null)),
    textArray(events.map((event) => event.trace ?? null)),
    textArray(events.map((event, index) => (stored[index] === null ? event.data : ''))),
    byteaArray(stored.map((blob) => blob?.hash ?? null)),
    intArray(stored.map((blob) => blob?.sizeBytes ?? null)),
    byteaArray(events.map((event) => event.hash)),
    textArray(events.map((event) => event.recordedAt)),
    textArray(events.map(({ claim }) => claim?.key ?? null)),
    byteaArray(events.map(({ claim }) => claim?.bodyHash ?? null)),
  ]);
}
