import type {
  EventContext,
  LogPlace,
  NewEvent,
  RecordedEvent,
  StreamHead,
} from '../events/recorded-event.js';

/** One atomic append to one stream: all of `events` are recorded, or none. */
export interface AppendRequest {
  readonly stream: string;
  /** The head that the decision was made on; `NO_STREAM` when the stream must not exist. */
  readonly expected: StreamHead;
  readonly events: readonly [NewEvent, ...NewEvent[]];
  readonly context: EventContext;
  /** A command's key and the hash of its body; claimed in the same statement as the first event. */
  readonly idempotency?: IdempotencyClaim;
  /** Streams that must exist when this is recorded, so that nothing comes to be below what retention has taken away meanwhile. */
  readonly requires?: readonly string[];
}

export interface IdempotencyClaim {
  /** Unique in its tenant. */
  readonly key: string;
  /** Lower-case hex SHA-256 of the request body. */
  readonly bodyHash: string;
}

/** A command's key where it was claimed: on the first event of what the command recorded. */
export interface RecordedClaim extends IdempotencyClaim {
  readonly version: number;
}

/** A stream from its beginning, with the keys that commands claimed on it. */
export interface WholeStream {
  readonly events: readonly RecordedEvent[];
  readonly claims: readonly RecordedClaim[];
}

/** What an earlier command with the same key recorded. */
export interface IdempotentOutcome {
  readonly stream: string;
  /** Version of the first event of that append. */
  readonly version: number;
  readonly bodyHash: string;
}

/**
 * `conflict`: the stream does not stand where `expected` says; nothing was written, decide again on what is there.
 * `duplicate`: the key was claimed before (by the same body or another: compare `bodyHash`); nothing was written.
 * `missing`: a stream that it requires is not there (any more); nothing was written.
 */
export type AppendResult =
  | { readonly ok: true; readonly head: StreamHead }
  | { readonly ok: false; readonly reason: 'conflict'; readonly version: number }
  | { readonly ok: false; readonly reason: 'duplicate'; readonly outcome: IdempotentOutcome }
  | { readonly ok: false; readonly reason: 'missing'; readonly stream: string };

/** Bytes in the blob table, by their content. */
export interface BlobReference {
  /** SHA-256 of the bytes, lower-case hex. */
  readonly hash: string;
  readonly sizeBytes: number;
}

export interface StreamPage {
  readonly events: readonly RecordedEvent[];
  /** Version to continue after, or `null` at the end of the stream. */
  readonly next: number | null;
}

export interface LogPage {
  readonly events: readonly RecordedEvent[];
  /** The place of the last event delivered, or the place that was asked after. */
  readonly next: LogPlace | null;
  /** True when the log may hold more right now: a full page, or rows held back behind an open transaction. */
  readonly more: boolean;
  /** True when rows are visible that are held back by a transaction still open: read again within milliseconds. */
  readonly held: boolean;
  /** How often retention had taken events away when this was read, or a moment later. Another number than before: ask `droppedBehind`. */
  readonly drops: number;
}

/** Whose events: all of a tenant, or of some of its sessions or agents. */
export interface DroppedFilter {
  readonly tenant: string;
  readonly sessions?: ReadonlySet<string>;
  readonly agents?: ReadonlySet<string>;
}

export interface Dropped {
  /** As in `LogPage`, of the same moment as `last`. */
  readonly drops: number;
  /** The last place behind the given one at which an event was taken away; `null` when none was. */
  readonly last: LogPlace | null;
}

/** An agent that retention has taken away. */
export interface ArchivedAgent {
  readonly tenant: string;
  readonly root: string;
}

export interface FirstEventsPage {
  readonly events: readonly RecordedEvent[];
  /** Stream to continue after, or `null` when no more follow. */
  readonly next: string | null;
}

/**
 * The log of all transcripts (spec 03 §2). Streams are ordered by version, the log by `LogPlace`; a reader that
 * continues after the last place it got misses nothing and gets nothing twice.
 */
export abstract class TranscriptStore {
  /**
   * Records all events of one append or none of them. The very same append sent again (same ids, content and
   * context) is answered as it was the first time. Throws `UnstorableAppendError` when no state of the log could take
   * it, and otherwise only when the store itself fails.
   */
  abstract append(request: AppendRequest): Promise<AppendResult>;

  /** Events of one stream with a version above `after`, oldest first, at most `limit` (clamped to the page limit). */
  abstract readStream(stream: string, after?: number, limit?: number): Promise<StreamPage>;

  /** The last event of a type in a stream, at or before version `upTo`; `null` when there is none. */
  abstract readLast(stream: string, type: string, upTo: number): Promise<RecordedEvent | null>;

  /** Events of all streams behind `after` in the log's order; `null` reads from the beginning. */
  abstract readLog(after: LogPlace | null, limit?: number): Promise<LogPage>;

  /** The end of the log as a reader can safely see it now, whether its last event was archived since or not; `null` when there never was one. */
  abstract logEnd(): Promise<LogPlace | null>;

  /** Identity of this log, part of every public cursor: a UUID that lives as long as the log, through dump and restore. */
  abstract logId(): Promise<string>;

  /** The version each of these streams stands at; a stream that does not exist is left out. */
  abstract readHeads(streams: readonly string[]): Promise<ReadonlyMap<string, number>>;

  /** The last version of each stream that stands at or before a place of the log; a stream of which none does is left out. */
  abstract versionsAt(streams: readonly string[], place: LogPlace): Promise<ReadonlyMap<string, number>>;

  /** The same of one stream; 0 when none does. */
  async versionAt(stream: string, place: LogPlace): Promise<number> {
    return (await this.versionsAt([stream], place)).get(stream) ?? 0;
  }

  /**
   * The first event of every stream behind `after`, in the order of stream ids: how everything there is can be listed from the log
   * alone. `mentioning` leaves out streams whose first payload surely does not hold that text ('' leaves out none).
   */
  abstract readFirstEvents(
    after: string | null,
    mentioning?: string,
    limit?: number,
  ): Promise<FirstEventsPage>;

  /** What was taken away behind a place, of anybody for `null`: whoever reads on from there misses it. */
  abstract droppedBehind(place: LogPlace, about: DroppedFilter | null): Promise<Dropped>;

  /** The archived agent of this id, or `null`. It may be here again since: ask for its stream first. */
  abstract findArchived(agentId: string): Promise<ArchivedAgent | null>;

  /** What an earlier command recorded under this key, or `null`. */
  abstract findIdempotent(tenant: string, key: string): Promise<IdempotentOutcome | null>;

  /** The keys that commands claimed on a stream behind version `after`, up to and with `upTo`, in the order of versions. */
  abstract readClaims(stream: string, after: number, upTo: number): Promise<readonly RecordedClaim[]>;

  /**
   * Many short streams at once, each from its beginning up to a version. Left out are those that end before it, and those that do not
   * fit into one page of events and bytes with the others.
   */
  abstract readStreams(wanted: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, WholeStream>>;

  /** Keeps bytes under their own hash, once, before the event that refers to them. Unreferenced ones do no harm. */
  abstract saveBlob(bytes: Uint8Array): Promise<BlobReference>;

  /** The bytes with this hash, checked against it, or `null`. Throws when they are damaged. */
  abstract readBlob(hash: string): Promise<Uint8Array | null>;

  /**
   * The same bytes a part at a time, none when nobody saved them: memory holds two parts, whatever the size. The last part is given only
   * when all of them hash to `hash`; `BlobDamagedError` is thrown in its place.
   */
  abstract readBlobParts(hash: string): AsyncGenerator<Uint8Array, void>;
}
