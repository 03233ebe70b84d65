import { type RecordedClaim, storeLimits, type TranscriptStore, type WholeStream } from '#transcripts';

/** What an export reads of streams. */
export type ExportSource = Pick<TranscriptStore, 'readStream' | 'readLast' | 'readClaims'>;

interface Planned {
  readonly agentId: string;
  readonly events: number;
}

/**
 * Streams that are going to be read one after the other, each up to the version that it is planned to: as many short ones at once as a page
 * of the log holds, a longer one as it always is. A planned stream ends at its version, and nothing behind it is seen.
 */
export class ReadAhead implements ExportSource {
  readonly #store: TranscriptStore;
  readonly #plan: readonly Planned[];
  readonly #places: ReadonlyMap<string, number>;
  #held: ReadonlyMap<string, WholeStream> = new Map();
  /** The place in the plan up to which streams were held or are too long for it. */
  #read = 0;

  constructor(store: TranscriptStore, plan: readonly Planned[]) {
    this.#store = store;
    this.#plan = plan;
    this.#places = new Map(plan.map(({ agentId }, place) => [agentId, place]));
  }

  async readStream(stream: string, after = 0, limit?: number) {
    const whole = await this.#whole(stream);
    if (whole === undefined || limit !== undefined) return this.#store.readStream(stream, after, limit);
    return { events: whole.events.filter(({ version }) => version > after), next: null };
  }

  async readClaims(stream: string, after: number, upTo: number): Promise<readonly RecordedClaim[]> {
    const whole = await this.#whole(stream);
    if (whole === undefined) return this.#store.readClaims(stream, after, upTo);
    return whole.claims.filter(({ version }) => version > after && version <= upTo);
  }

  readLast(stream: string, type: string, upTo: number) {
    return this.#store.readLast(stream, type, upTo);
  }

  async #whole(stream: string): Promise<WholeStream | undefined> {
    const place = this.#places.get(stream) ?? -1;
    if (place >= this.#read) await this.#readFrom(place);
    return this.#held.get(stream);
  }

  async #readFrom(place: number): Promise<void> {
    const wanted = new Map<string, number>();
    let room = storeLimits.pageEvents;
    for (const { agentId, events } of this.#plan.slice(place, place + room)) {
      if (events > room) break;
      wanted.set(agentId, events);
      room -= events;
    }
    this.#read = place + Math.max(1, wanted.size);
    // What cannot be read together is read one by one, which says what is wrong with which.
    this.#held = wanted.size === 0 ? new Map() : await this.#store.readStreams(wanted).catch(() => new Map());
  }
}
