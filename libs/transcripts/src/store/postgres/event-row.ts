import type { EventFault, RecordedEvent } from '../../events/recorded-event.js';
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

/** What a row says without its payload. */
type RowEnvelope = Omit<Extract<RecordedEvent, { fault: EventFault }>, 'fault' | 'data'>;

function envelopeOf(row: EventRow, previousHash: string | null): RowEnvelope {
  return {
    stream: row.stream,
    version: Number(row.version),
    id: row.id,
    type: row.type,
    schema: Number(row.schema),
    actor: row.actor,
    tenant: row.tenant,
    ...(row.causation === null ? {} : { causation: row.causation }),
    ...(row.correlation === null ? {} : { correlation: row.correlation }),
    ...(row.trace === null ? {} : { trace: row.trace }),
    recordedAt: row.recorded_at,
    previousHash,
    hash: row.hash,
    place: { generation: Number(row.generation), xid: BigInt(row.xid), position: BigInt(row.position) },
  };
}

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
  const envelope = envelopeOf(row, previousHash);
  if ('fault' in payload) return { ...envelope, fault: payload.fault };
  const event = { ...envelope, data: payload.data, fault: null };
  return chainHash(event, event, event) === row.hash ? event : { ...envelope, fault: 'altered' };
}
