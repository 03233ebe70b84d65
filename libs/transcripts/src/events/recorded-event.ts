/**
 * The envelope of the log (spec 03 §1). Payloads travel as the JSON text that was written, so that what was
 * recorded comes back byte for byte; `decodeEvent` is the only place that parses it.
 */

/** Where a stream stands: the version of its last event and that event's hash. `NO_STREAM` has neither. */
export interface StreamHead {
  /** 0 when the stream does not exist; versions count from 1 without holes. */
  readonly version: number;
  /** Lower-case hex SHA-256 of the last event; `null` exactly when `version` is 0. */
  readonly hash: string | null;
}

export const NO_STREAM: StreamHead = Object.freeze({ version: 0, hash: null });

/** Who caused an event and in which context. Part of the hash. */
export interface EventContext {
  /** `key:<id>`, `agent:<id>`, `worker:<id>` or `system:<part>`. */
  readonly actor: string;
  readonly tenant: string;
  /** Id of the command or event that caused this one. */
  readonly causation?: string;
  /** Shared by everything that follows from one request. */
  readonly correlation?: string;
  /** W3C traceparent. */
  readonly trace?: string;
}

/** An event before it is recorded: named, versioned, its payload already text. */
export interface NewEvent {
  /** UUIDv7, made by the caller. */
  readonly id: string;
  readonly type: string;
  /** Schema version of the payload, from 1. */
  readonly schema: number;
  /** JSON text; never re-serialised by the store. */
  readonly data: string;
}

/** A place in the log's one order. Compared as numbers: generation, then xid, then position (spec 03 §2). */
export interface LogPlace {
  readonly generation: number;
  readonly xid: bigint;
  readonly position: bigint;
}

/** An event as recorded. `recordedAt` is the database's clock in RFC 3339 with microseconds. */
export interface RecordedEvent extends NewEvent, EventContext {
  /** The agent's id; the public stream name is `agent-<id>`. */
  readonly stream: string;
  readonly version: number;
  readonly recordedAt: string;
  /** Hash of the previous event of the stream, `null` for version 1. */
  readonly previousHash: string | null;
  readonly hash: string;
  readonly place: LogPlace;
}
