import type { SealedAppend, SealedEvent } from '../seal-append.js';
import { byteaArray, intArray, textArray, uuidArray } from './binary-array.js';
import type { SqlStatement } from './sql-client.js';

/**
 * Group commit in one statement (spec 03 §2). The first event of an append is its fence: it goes in on no conflict,
 * where its predecessor has the expected hash (which also rules out a hole), together with the idempotency key. The
 * other events go in only where the fence won, so each append is all or nothing and fails alone. Names that decide
 * the order of locks: the batch is sorted by stream and holds one append a stream.
 */
const columns = `generation, stream, version, id, type, schema, actor, tenant, causation, correlation, trace,
  data, blob, blob_size, hash, idempotency_key, body_hash`;

const input = `select * from unnest($1::uuid[], $2::int[], $3::int[], $4::uuid[], $5::text[], $6::int[], $7::text[],
  $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::bytea[], $14::int[], $15::bytea[],
  $16::bytea[], $17::text[], $18::bytea[]) with ordinality
  t(stream, version, first, id, type, schema, actor, tenant, causation, correlation, trace,
    data, blob, blob_size, previous, hash, idempotency_key, body_hash, n)`;

// The generation is read in the statement, not remembered: a restored database opens a new one under running processes.
const values = `(select max(g.generation) from log_generation g), e.stream, e.version, e.id, e.type, e.schema, e.actor,
  e.tenant, e.causation, e.correlation, e.trace, e.data, e.blob, e.blob_size, e.hash, e.idempotency_key, e.body_hash`;

const stands = `(e.first = 1 or e.previous =
  (select h.hash from event h where h.stream = e.stream and h.version = e.first - 1))`;

const fenced = `with e as materialized (${input}),
fence as (
  insert into event (${columns}) select ${values} from e where e.version = e.first and ${stands}
  order by e.n on conflict do nothing returning stream, version),
rest as (
  insert into event (${columns}) select ${values} from e join fence f on f.stream = e.stream and f.version = e.first
  where e.version > e.first order by e.n)
select stream from fence`;

const single = `with e as (${input})
insert into event (${columns}) select ${values} from e where ${stands} order by e.n on conflict do nothing returning stream`;

/** Refers to payloads that are in the blob table already. */
export interface BlobReference {
  /** SHA-256 of the payload, lower-case hex. */
  readonly hash: string;
  readonly sizeBytes: number;
}

export interface PreparedAppend {
  readonly append: SealedAppend;
  /** By version of the event; absent for payloads that stay in the row. */
  readonly blobs: ReadonlyMap<number, BlobReference>;
}

interface Line {
  readonly of: PreparedAppend;
  readonly event: SealedEvent;
  readonly isFence: boolean;
}

/** The statement that records `batch`; it answers one row for each stream whose append won. */
export function appendStatement(batch: readonly PreparedAppend[]): SqlStatement {
  const sorted = batch.toSorted((a, b) => (a.append.stream < b.append.stream ? -1 : 1));
  const lines = sorted.flatMap((of) =>
    of.append.events.map((event, index): Line => ({ of, event, isFence: index === 0 })),
  );
  const isSingle = lines.length === batch.length;
  return {
    name: isSingle ? 'append-single' : 'append-fenced',
    text: isSingle ? single : fenced,
    values: parameters(lines),
  };
}

function parameters(lines: readonly Line[]): Buffer[] {
  const blobs = lines.map((line) => line.of.blobs.get(line.event.version) ?? null);
  const claims = lines.map((line) => (line.isFence ? line.of.append.idempotency : null));
  const contexts = lines.map((line) => line.of.append.context);
  return [
    uuidArray(lines.map((line) => line.of.append.stream)),
    intArray(lines.map((line) => line.event.version)),
    intArray(lines.map((line) => line.of.append.events[0].version)),
    uuidArray(lines.map((line) => line.event.id)),
    textArray(lines.map((line) => line.event.type)),
    intArray(lines.map((line) => line.event.schema)),
    textArray(contexts.map((context) => context.actor)),
    textArray(contexts.map((context) => context.tenant)),
    textArray(contexts.map((context) => context.causation ?? null)),
    textArray(contexts.map((context) => context.correlation ?? null)),
    textArray(contexts.map((context) => context.trace ?? null)),
    textArray(lines.map((line, index) => (blobs[index] ? '' : line.event.data))),
    byteaArray(blobs.map((blob) => blob?.hash ?? null)),
    intArray(blobs.map((blob) => blob?.sizeBytes ?? null)),
    byteaArray(lines.map((line) => line.event.previousHash)),
    byteaArray(lines.map((line) => line.event.hash)),
    textArray(claims.map((claim) => claim?.key ?? null)),
    byteaArray(claims.map((claim) => claim?.bodyHash ?? null)),
  ];
}
