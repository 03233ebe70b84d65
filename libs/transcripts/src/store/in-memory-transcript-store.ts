import { createHash, randomUUID } from 'node:crypto';
import type { EventContext, LogPlace, SoundEvent } from '../events/recorded-event.js';
import { checkedParts } from './checked-parts.js';
import { compareLogPlaces } from './log-place.js';
import { sealAppend, type SealedAppend, type SealedEvent } from './seal-append.js';
import { clampPage, storeLimits } from './store-limits.js';
import {
  TranscriptStore,
  type AppendRequest,
  type AppendResult,
  type BlobReference,
  type Dropped,
  type FirstEventsPage,
  type IdempotentOutcome,
  type LogPage,
  type RecordedClaim,
  type StreamPage,
  type WholeStream,
} from './transcript-store.js';

/** A log in the memory of one process, for specs. Keeps every promise of the port; nothing is ever held back. */
export class InMemoryTranscriptStore extends TranscriptStore {
  readonly #log: SoundEvent[] = [];
  readonly #streams = new Map<string, SoundEvent[]>();
  readonly #outcomes = new Map<string, IdempotentOutcome>();
  readonly #blobs = new Map<string, Uint8Array>();
  readonly #logId = randomUUID();
  readonly #now: () => Date;
  #xid = 0n;

  constructor(now: () => Date = () => new Date()) {
    super();
    this.#now = now;
  }

  append(request: AppendRequest): Promise<AppendResult> {
    return new Promise((resolve) => {
      resolve(this.#append(sealAppend(request)));
    });
  }

  readStream(stream: string, after = 0, limit?: number): Promise<StreamPage> {
    const all = this.#streams.get(stream) ?? [];
    const events = takePage(all, Math.max(after, 0), clampPage(limit));
    const last = events.at(-1);
    const next = last === undefined || last.version === all.length ? null : last.version;
    return Promise.resolve({ events, next });
  }

  readLog(after: LogPlace | null, limit?: number): Promise<LogPage> {
    const start =
      after === null ? 0 : this.#log.findIndex((event) => compareLogPlaces(event.place, after) > 0);
    const events = start === -1 ? [] : takePage(this.#log, start, clampPage(limit));
    const next = events.at(-1)?.place ?? after;
    return Promise.resolve({
      events,
      next,
      more: start !== -1 && start + events.length < this.#log.length,
      held: false,
      drops: 0,
    });
  }

  logEnd(): Promise<LogPlace | null> {
    return Promise.resolve(this.#log.at(-1)?.place ?? null);
  }

  readLast(stream: string, type: string, upTo: number): Promise<SoundEvent | null> {
    const events = this.#streams.get(stream) ?? [];
    return Promise.resolve(events.findLast((event) => event.type === type && event.version <= upTo) ?? null);
  }

  logId(): Promise<string> {
    return Promise.resolve(this.#logId);
  }

  readHeads(streams: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const heads = streams.map((stream) => [stream, this.#streams.get(stream)?.length ?? 0] as const);
    return Promise.resolve(new Map(heads.filter(([, version]) => version > 0)));
  }

  versionsAt(streams: readonly string[], place: LogPlace): Promise<ReadonlyMap<string, number>> {
    const versionOf = (stream: string): number =>
      (this.#streams.get(stream) ?? []).filter((event) => compareLogPlaces(event.place, place) <= 0).length;
    const versions = streams.map((stream) => [stream, versionOf(stream)] as const);
    return Promise.resolve(new Map(versions.filter(([, version]) => version > 0)));
  }

  readFirstEvents(after: string | null, mentioning = '', limit?: number): Promise<FirstEventsPage> {
    const firsts = [...this.#streams.values()]
      .flatMap(([first]) => first ?? [])
      .filter((event) => event.stream > (after ?? '') && event.data.includes(mentioning))
      .sort((a, b) => (a.stream < b.stream ? -1 : 1));
    const events = takePage(firsts, 0, clampPage(limit));
    const next = events.length < firsts.length ? (events.at(-1)?.stream ?? null) : null;
    return Promise.resolve({ events, next });
  }

  /** Nothing is ever taken away here. */
  droppedBehind(): Promise<Dropped> {
    return Promise.resolve({ drops: 0, last: null });
  }

  findArchived(): Promise<null> {
    return Promise.resolve(null);
  }

  findIdempotent(tenant: string, key: string): Promise<IdempotentOutcome | null> {
    return Promise.resolve(this.#outcomes.get(outcomeKey(tenant, key)) ?? null);
  }

  saveBlob(bytes: Uint8Array): Promise<BlobReference> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    this.#blobs.set(hash, Uint8Array.from(bytes));
    return Promise.resolve({ hash, sizeBytes: bytes.length });
  }

  readBlob(hash: string): Promise<Uint8Array | null> {
    return Promise.resolve(this.#blobs.get(hash) ?? null);
  }

  readBlobParts(hash: string): AsyncGenerator<Uint8Array, void> {
    return checkedParts(partsOf(this.#blobs.get(hash) ?? new Uint8Array()), hash);
  }

  readClaims(stream: string, after: number, upTo: number): Promise<readonly RecordedClaim[]> {
    const claims = [...this.#outcomes]
      .filter(([, at]) => at.stream === stream && at.version > after && at.version <= upTo)
      .map(([key, { version, bodyHash }]) => ({ version, key: keyOf(key), bodyHash }));
    return Promise.resolve(claims.sort((a, b) => a.version - b.version));
  }

  async readStreams(wanted: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, WholeStream>> {
    const whole = new Map<string, WholeStream>();
    const left = { events: storeLimits.pageEvents, bytes: storeLimits.pageBytes };
    for (const [stream, upTo] of wanted) {
      const events = (this.#streams.get(stream) ?? []).slice(0, upTo);
      left.events -= events.length;
      left.bytes -= events.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0);
      if (left.events < 0 || left.bytes < 0) break;
      if (events.length === upTo)
        whole.set(stream, { events, claims: await this.readClaims(stream, 0, upTo) });
    }
    return whole;
  }

  #append(append: SealedAppend): AppendResult {
    const stream = this.#streams.get(append.stream) ?? [];
    const [fence] = append.events;
    if (stream[fence.version - 1]?.hash === fence.hash) return { ok: true, head: append.head };
    const outcome = this.#claimed(append);
    if (outcome !== undefined) return { ok: false, reason: 'duplicate', outcome };
    const missing = append.requires.find((required) => !this.#streams.has(required));
    if (missing !== undefined) return { ok: false, reason: 'missing', stream: missing };
    if (!continues(stream, fence)) return { ok: false, reason: 'conflict', version: stream.length };
    this.#record(append, stream);
    return { ok: true, head: append.head };
  }

  #claimed({ idempotency, context }: SealedAppend): IdempotentOutcome | undefined {
    return idempotency === null ? undefined : this.#outcomes.get(outcomeKey(context.tenant, idempotency.key));
  }

  #record(append: SealedAppend, stream: SoundEvent[]): void {
    this.#xid += 1n;
    this.#streams.set(append.stream, stream);
    for (const event of append.events) {
      const recorded = this.#recordOne(append, event);
      stream.push(recorded);
      this.#log.push(recorded);
    }
    if (append.idempotency === null) return;
    const { key, bodyHash } = append.idempotency;
    const outcome = { stream: append.stream, version: append.events[0].version, bodyHash };
    this.#outcomes.set(outcomeKey(append.context.tenant, key), outcome);
  }

  #recordOne(append: SealedAppend, event: SealedEvent): SoundEvent {
    const place = { generation: 1, xid: this.#xid, position: BigInt(this.#log.length + 1) };
    const recordedAt = this.#now().toISOString().replace('Z', '000Z');
    return Object.freeze({
      ...event,
      ...copyContext(append.context),
      stream: append.stream,
      recordedAt,
      place,
    });
  }
}

function continues(stream: readonly SoundEvent[], fence: SealedEvent): boolean {
  return stream.length === fence.version - 1 && (stream.at(-1)?.hash ?? null) === fence.previousHash;
}

function copyContext({ actor, tenant, causation, correlation, trace }: EventContext): EventContext {
  return {
    actor,
    tenant,
    ...(causation === undefined ? {} : { causation }),
    ...(correlation === undefined ? {} : { correlation }),
    ...(trace === undefined ? {} : { trace }),
  };
}

function takePage(all: readonly SoundEvent[], start: number, limit: number): SoundEvent[] {
  const page: SoundEvent[] = [];
  let sizeBytes = 0;
  for (
    let index = start;
    index < all.length && page.length < limit && sizeBytes < storeLimits.pageBytes;
    index += 1
  ) {
    const event = all[index];
    if (event === undefined) break;
    page.push(event);
    sizeBytes += Buffer.byteLength(event.data);
  }
  return page;
}

function outcomeKey(tenant: string, key: string): string {
  return JSON.stringify([tenant, key]);
}

const keyOf = (outcome: string): string => (JSON.parse(outcome) as [string, string])[1];

async function* partsOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let start = 0; start < bytes.length; start += storeLimits.blobPartBytes)
    yield await Promise.resolve(bytes.subarray(start, start + storeLimits.blobPartBytes));
}
