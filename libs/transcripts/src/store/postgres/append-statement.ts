import type { SealedAppend, SealedEvent } from '../seal-append.js';
import { byteaArray, intArray, textArray, uuidArray } from './binary-array.js';
import type { BlobReference } from '../transcript-store.js';
import type { SqlStatement } from './sql-client.js';

/**
 * Group commit in one statement (spec 03 §2), in two forms:
 *
 * - *straight*: an append goes in where its stream stands exactly where the append expects it. Two transactions that find
 *   the same head at the same moment are told apart by the primary key, and then the whole statement fails.
 * - *fenced*: the first event of an append is its fence: it goes in on no conflict, where its predecessor has the expected hash
 *   (which also rules out a hole), together with the idempotency key. The other events go in only where the fence won,
 *   so each append is all or nothing and fails alone. Half as fast again for single events, hence not the first choice.
 *
 * A batch is sorted by stream and holds one append a stream: that is the order of its locks.
 */
const straightColumns = `generation, stream, version, id, type, schema, actor, tenant, causation, correlation, trace,
  data, hash`;
const columns = `${straightColumns}, blob, blob_size, idempotency_key, body_hash`;

const straightNames = `stream, version, first, previous, id, type, schema, actor, tenant, causation, correlation, trace,
  data, hash`;
const straightArrays = `$1::uuid[], $2::int[], $3::int[], $4::bytea[], $5::uuid[], $6::text[], $7::int[], $8::text[],
  $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::bytea[]`;
const fencedInput = `select * from unnest(${straightArrays}, $15::bytea[], $16::int[], $17::text[], $18::bytea[],
  $19::text[]) with ordinality e(${straightNames}, blob, blob_size, idempotency_key, body_hash, requires, n)`;

// The generation is read in the statement, not remembered: a restored database opens a new one under running processes.
const straightValues = `(select max(g.generation) from log_generation g), e.stream, e.version, e.id, e.type, e.schema,
  e.actor, e.tenant, e.causation, e.correlation, e.trace, e.data, e.hash`;
const values = `${straightValues}, e.blob, e.blob_size, e.idempotency_key, e.body_hash`;

const straight = `insert into event (${straightColumns})
select ${straightValues} from unnest(${straightArrays}) e(${straightNames})
where coalesce((select h.version = e.first - 1 and h.hash = e.previous from event h where h.stream = e.stream
  order by h.version desc limit 1), e.first = 1)`;

// The lock that a statement takes on the table before it looks keeps out the transaction that takes a tree away.
const requiredAreThere = `not exists (select 1 from unnest(e.requires::uuid[]) r(stream)
  where not exists (select 1 from event s where s.stream = r.stream and s.version = 1))`;

/** The straight form with one column more, for batches of which an append requires other streams. */
const straightRequiring = `insert into event (${straightColumns})
select ${straightValues} from unnest(${straightArrays}, $15::text[]) e(${straightNames}, requires)
where coalesce((select h.version = e.first - 1 and h.hash = e.previous from event h where h.stream = e.stream
  order by h.version desc limit 1), e.first = 1) and ${requiredAreThere}`;

const fenced = `with e as materialized (${fencedInput}),
fence as (
  insert into event (${columns}) select ${values} from e where e.version = e.first and (e.first = 1 or e.previous =
    (select h.hash from event h where h.stream = e.stream and h.version = e.first - 1)) and ${requiredAreThere}
  order by e.n on conflict do nothing returning stream, version),
rest as (
  insert into event (${columns}) select ${values} from e join fence f on f.stream = e.stream and f.version = e.first
  where e.version > e.first order by e.n)
select stream from fence`;

export interface PreparedAppend {
  readonly append: SealedAppend;
  /** Payloads that are in the blob table already, by version of the event; absent for those that stay in the row. */
  readonly blobs: ReadonlyMap<number, BlobReference>;
}

interface Line {
  readonly append: SealedAppend;
  readonly event: SealedEvent;
  readonly first: SealedEvent;
  readonly blob: BlobReference | undefined;
}

/** True when the batch holds no idempotency key and no payload of the blob table: the straight form has no place for them. */
export function canGoStraight(batch: readonly PreparedAppend[]): boolean {
  return batch.every(({ append, blobs }) => append.idempotency === null && blobs.size === 0);
}

/** Records every append that stands; its row count is that of their events. Fails as a whole on a unique violation. */
export function straightStatement(batch: readonly PreparedAppend[]): SqlStatement {
  const lines = linesOf(batch);
  const values = straightParameters(lines);
  if (batch.every(({ append }) => append.requires.length === 0))
    return { name: 'append-straight', text: straight, values };
  return { name: 'append-requiring', text: straightRequiring, values: [...values, requiredArray(lines)] };
}

/** Records every append that wins and answers one row for each of their streams. */
export function fencedStatement(batch: readonly PreparedAppend[]): SqlStatement {
  const lines = linesOf(batch);
  const claims = lines.map(({ append, event, first }) => (event === first ? append.idempotency : null));
  const parameters = [
    ...straightParameters(lines),
    byteaArray(lines.map(({ blob }) => blob?.hash ?? null)),
    intArray(lines.map(({ blob }) => blob?.sizeBytes ?? null)),
    textArray(claims.map((claim) => claim?.key ?? null)),
    byteaArray(claims.map((claim) => claim?.bodyHash ?? null)),
    requiredArray(lines),
  ];
  return { name: 'append-fenced', text: fenced, values: parameters };
}

function linesOf(batch: readonly PreparedAppend[]): readonly Line[] {
  const sorted = batch.toSorted((a, b) => (a.append.stream < b.append.stream ? -1 : 1));
  return sorted.flatMap(({ append, blobs }) => {
    const [first] = append.events;
    return append.events.map((event): Line => ({ append, event, first, blob: blobs.get(event.version) }));
  });
}

/** Ids have no characters that an array literal would need to quote. */
const requiredArray = (lines: readonly Line[]): Buffer =>
  textArray(
    lines.map(({ append: { requires } }) => (requires.length === 0 ? null : `{${requires.join(',')}}`)),
  );

function straightParameters(lines: readonly Line[]): Buffer[] {
  return [
    uuidArray(lines.map(({ append }) => append.stream)),
    intArray(lines.map(({ event }) => event.version)),
    intArray(lines.map(({ first }) => first.version)),
    byteaArray(lines.map(({ first }) => first.previousHash)),
    uuidArray(lines.map(({ event }) => event.id)),
    textArray(lines.map(({ event }) => event.type)),
    intArray(lines.map(({ event }) => event.schema)),
    textArray(lines.map(({ append }) => append.context.actor)),
    textArray(lines.map(({ append }) => append.context.tenant)),
    textArray(lines.map(({ append }) => append.context.causation ?? null)),
    textArray(lines.map(({ append }) => append.context.correlation ?? null)),
    textArray(lines.map(({ append }) => append.context.trace ?? null)),
    textArray(lines.map(({ event, blob }) => (blob === undefined ? event.data : ''))),
    byteaArray(lines.map(({ event }) => event.hash)),
  ];
}
