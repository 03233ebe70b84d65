import type { RecordedEvent } from '../../events/recorded-event.js';

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
}

/** The columns of `EventRow` in the inner select of a page, read from `event`. */
export const eventColumns = `generation, xid, position, stream, version, id, type, schema,
  to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at,
  actor, tenant, causation, correlation, trace, data, encode(blob, 'hex') as blob, encode(hash, 'hex') as hash,
  coalesce(blob_size, octet_length(data)) as size`;

/** Builds the event; its payload and its predecessor's hash come from elsewhere when the row does not hold them. */
export function recordedEvent(row: EventRow, data: string, previousHash: string | null): RecordedEvent {
  return {
    stream: row.stream,
    version: Number(row.version),
    id: row.id,
    type: row.type,
    schema: Number(row.schema),
    data,
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
