import type { EventFault, FaultyEvent, RecordedEvent, SoundEvent } from '../../events/recorded-event.js';
import { chainHash } from '../chain-hash.js';

/** An event as the reading statements print it: every column its text. */
export interface EventRow {
  readonly generation: string;
  readonly xid: string;
  readonly position: string;
  readonly stream: string;
  readonly version: string;
  readonly id: string;
  readonly type: string;
  readonly schema: string;
  readonly recorded_at: string;
  readonly actor: string;
  readonly tenant: string;
  readonly causation: string | null;
  readonly correlation: string | null;
  readonly trace: string | null;
  readonly data: string;
  readonly blob: string | null;
  readonly hash: string;
  readonly size: string;
  /** Hash of the event before it in its stream, null at its first; absent where the statement did not look. */
  readonly hash_before?: string | null;
}

/** The columns of `EventRow` in the inner select of a page, read from `event`. */
export const eventColumns = `generation, xid, position, stream, version, id, type, schema,
  to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at,
  actor, tenant, causation, correlation, trace, data, encode(blob, 'hex') as blob, encode(hash, 'hex') as hash,
  coalesce(blob_size, octet_length(data)) as size`;

/** The payload of a row where it could be had, and why not elsewhere. */
export type RowPayload = { readonly data: string } | { readonly fault: EventFault };

/**
 * Builds the event; its payload and its predecessor's hash come from elsewhere when the row does not hold them. The one place where what is
 * stored is compared with its hash: what does not match is an event with a fault and without a payload.
 */
export function recordedEvent(
  row: EventRow,
  payload: RowPayload,
  previousHash: string | null,
): RecordedEvent {
  const event = eventOf(row, previousHash);
  if ('fault' in payload) return faulty(event, payload.fault);
  event.data = payload.data;
  return chainHash(event, event, event) === row.hash ? event : faulty(event, 'altered');
}

/** A sound event while it is made: one object, of one shape, since this is done for everything that is ever read. */
type UnfinishedEvent = { -readonly [Key in keyof SoundEvent]: SoundEvent[Key] };

function eventOf(row: EventRow, previousHash: string | null): UnfinishedEvent {
  const event: UnfinishedEvent = {
    stream: row.stream,
    version: Number(row.version),
    id: row.id,
    type: row.type,
    schema: Number(row.schema),
    data: '',
    actor: row.actor,
    tenant: row.tenant,
    recordedAt: row.recorded_at,
    previousHash,
    hash: row.hash,
    place: { generation: Number(row.generation), xid: BigInt(row.xid), position: BigInt(row.position) },
    fault: null,
  };
  if (row.causation !== null) event.causation = row.causation;
  if (row.correlation !== null) event.correlation = row.correlation;
  if (row.trace !== null) event.trace = row.trace;
  return event;
}

function faulty({ data: _, ...envelope }: SoundEvent, fault: EventFault): FaultyEvent {
  return { ...envelope, fault };
}
