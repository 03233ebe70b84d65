import type { Pool } from 'pg';
import type { LogPlace, RecordedEvent } from '../../events/recorded-event.js';
import { sealAppend, type SealedAppend } from '../seal-append.js';
import { storeLimits } from '../store-limits.js';
import {
  TranscriptStore,
  type AppendRequest,
  type AppendResult,
  type ArchivedAgent,
  type BlobReference,
  type Dropped,
  type DroppedFilter,
  type FirstEventsPage,
  type IdempotentOutcome,
  type LogPage,
  type RecordedClaim,
  type StreamPage,
  type WholeStream,
} from '../transcript-store.js';
import { appendBatch } from './append-batch.js';
import type { PreparedAppend } from './append-statement.js';
import { checkedParts } from '../checked-parts.js';
import { readBlob, readBlobParts, saveBlob } from './blobs.js';
import { droppedBehind, findArchived } from './read-archived.js';
import { findIdempotent, readClaims } from './find-idempotent.js';
import { GroupCommit } from './group-commit.js';
import { readFirstEvents } from './read-first-events.js';
import { readHeads } from './read-heads.js';
import { readLast } from './read-last.js';
import { readLog, readLogEnd } from './read-log.js';
import { readStream } from './read-stream.js';
import { readStreams } from './read-streams.js';
import { retryTransient } from './retry-transient.js';
import { versionsAt } from './versions-at.js';
import { queryText } from './sql-client.js';

export interface PostgresTranscriptStoreOptions {
  /** Connections for appends; a pool of their own, so that no reader keeps an append waiting. */
  readonly writers: Pool;
  readonly readers: Pool;
  /** Called after each commit that recorded something; must not throw. */
  readonly onAppended?: () => void;
}

/** The log in PostgreSQL: group commit, and a feed ordered by (generation, xid, position). Needs the migrations run. */
export class PostgresTranscriptStore extends TranscriptStore {
  readonly #writers: Pool;
  readonly #readers: Pool;
  readonly #onAppended: () => void;
  readonly #grouped: GroupCommit<PreparedAppend, AppendResult>;
  readonly #keyed: GroupCommit<PreparedAppend, AppendResult>;
  #logId: Promise<string> | null = null;

  constructor(options: PostgresTranscriptStoreOptions) {
    super();
    this.#writers = options.writers;
    this.#readers = options.readers;
    this.#onAppended = options.onAppended ?? (() => undefined);
    const shared = {
      maxBytes: 4 * 1024 * 1024,
      sizeBytes: inlineBytes,
      key: ({ append }: PreparedAppend) => append.stream,
      commit: (batch: readonly PreparedAppend[]) => this.#commit(batch),
    };
    // Two lanes, so that this process writes one batch down while the database works on the other.
    this.#grouped = new GroupCommit({ ...shared, lanes: 2, maxItems: 256 });
    // Keyed commands go alone: two of them could otherwise wait for each other's keys, whatever the order of streams.
    this.#keyed = new GroupCommit({ ...shared, lanes: 3, maxItems: 1 });
  }

  async append(request: AppendRequest): Promise<AppendResult> {
    const append = sealAppend(request);
    const prepared = { append, blobs: await this.#saveBlobs(append) };
    return append.idempotency === null ? this.#grouped.submit(prepared) : this.#keyed.submit(prepared);
  }

  readStream(stream: string, after = 0, limit?: number): Promise<StreamPage> {
    return retryTransient(() => readStream(this.#readers, stream, after, limit));
  }

  readLast(stream: string, type: string, upTo: number): Promise<RecordedEvent | null> {
    return retryTransient(() => readLast(this.#readers, stream, type, upTo));
  }

  readLog(after: LogPlace | null, limit?: number): Promise<LogPage> {
    return retryTransient(() => readLog(this.#readers, after, limit));
  }

  logEnd(): Promise<LogPlace | null> {
    return retryTransient(() => readLogEnd(this.#readers));
  }

  logId(): Promise<string> {
    this.#logId ??= this.#readLogId().catch((error: unknown) => {
      this.#logId = null;
      throw error;
    });
    return this.#logId;
  }

  readHeads(streams: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return retryTransient(() => readHeads(this.#readers, streams));
  }

  versionsAt(streams: readonly string[], place: LogPlace): Promise<ReadonlyMap<string, number>> {
    return retryTransient(() => versionsAt(this.#readers, streams, place));
  }

  readFirstEvents(after: string | null, mentioning = '', limit?: number): Promise<FirstEventsPage> {
    return retryTransient(() => readFirstEvents(this.#readers, after, mentioning, limit));
  }

  droppedBehind(place: LogPlace, about: DroppedFilter | null): Promise<Dropped> {
    return retryTransient(() => droppedBehind(this.#readers, place, about));
  }

  findArchived(agentId: string): Promise<ArchivedAgent | null> {
    return retryTransient(() => findArchived(this.#readers, agentId));
  }

  findIdempotent(tenant: string, key: string): Promise<IdempotentOutcome | null> {
    return retryTransient(() => findIdempotent(this.#readers, tenant, key));
  }

  readStreams(wanted: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, WholeStream>> {
    return retryTransient(() => readStreams(this.#readers, wanted));
  }

  saveBlob(bytes: Uint8Array): Promise<BlobReference> {
    return retryTransient(() => saveBlob(this.#writers, bytes));
  }

  readBlob(hash: string): Promise<Uint8Array | null> {
    return retryTransient(() => readBlob(this.#readers, hash));
  }

  readBlobParts(hash: string): AsyncGenerator<Uint8Array, void> {
    return checkedParts(readBlobParts(this.#readers, hash), hash);
  }

  readClaims(stream: string, after: number, upTo: number): Promise<readonly RecordedClaim[]> {
    return retryTransient(() => readClaims(this.#readers, stream, after, upTo));
  }

  /** Resolves once every append that was asked for is settled. Close the pools after this. */
  async drained(): Promise<void> {
    await Promise.all([this.#grouped.drained(), this.#keyed.drained()]);
  }

  async #commit(batch: readonly PreparedAppend[]): Promise<readonly AppendResult[]> {
    const results = await appendBatch(this.#writers, batch);
    if (results.some((result) => result.ok)) this.#onAppended();
    return results;
  }

  async #saveBlobs(append: SealedAppend): Promise<ReadonlyMap<number, BlobReference>> {
    const blobs = new Map<number, BlobReference>();
    for (const event of append.events) {
      if (Buffer.byteLength(event.data) <= storeLimits.inlineBytes) continue;
      blobs.set(event.version, await this.saveBlob(Buffer.from(event.data)));
    }
    return blobs;
  }

  async #readLogId(): Promise<string> {
    const rows = await retryTransient(() =>
      queryText<{ readonly id: string }>(this.#readers, 'read-log-id', 'select id from log_identity', []),
    );
    const [row] = rows;
    if (row === undefined)
      throw new Error('The log has no identity: its migrations have not run on this database.');
    return row.id;
  }
}

function inlineBytes({ append, blobs }: PreparedAppend): number {
  return append.events.reduce((sum, event) => sum + (blobs.has(event.version) ? 0 : event.data.length), 0);
}
