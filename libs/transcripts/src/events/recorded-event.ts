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

/** What stands around the payload of a recorded event. `recordedAt` is the database's clock in RFC 3339 with microseconds. */
interface Envelope extends Omit<NewEvent, 'data'>, EventContext {
  /** The agent's id; the public stream name is `agent-<id>`. */
  readonly stream: string;
  readonly version: number;
  readonly recordedAt: string;
  /** Hash of the previous event of the stream, `null` for version 1. */
  readonly previousHash: string | null;
  readonly hash: string;
  readonly place: LogPlace;
}

/**
 * Why nothing may be read out of a stored event. `altered`: its content, or its predecessor's hash, is not what its own hash was made
 * of. `payload_missing`, `payload_damaged`: its payload is in the blob table no more, or as other bytes.
 */
export type EventFault = 'altered' | 'payload_missing' | 'payload_damaged';

/** An event that can be read. `fault` is null where the store compared its hash, and absent where nobody did: it comes from elsewhere. */
export interface SoundEvent extends Envelope {
  readonly data: string;
  readonly fault?: null;
}

/** An event that is not what was recorded. Only its place, its stream and its stored hash may be gone by, to get past it. */
export interface FaultyEvent extends Envelope {
  readonly fault: EventFault;
  readonly data?: never;
}

/** An event as recorded, or what is left of it. */
export type RecordedEvent = SoundEvent | FaultyEvent;

/** Whether an event can be read, as far as anybody has looked. */
export const isSound = (event: RecordedEvent): event is SoundEvent => (event.fault ?? null) === null;
