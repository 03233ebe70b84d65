import { isSound, type RecordedEvent, type StreamHead } from '../events/recorded-event.js';
import type { TranscriptStore } from './transcript-store.js';

/** A way of folding a stream, whose states are never changed once they were handed out. */
interface Fold<State> {
  readonly begin: (stream: string) => State;
  readonly headOf: (state: State) => StreamHead;
  /** Folds events that lie behind the head, in order; a new state. May throw for events that must not be folded. */
  readonly add: (state: State, events: readonly RecordedEvent[]) => State;
  /** Whether a fold may be gone on from; always unless given. */
  readonly mayKeep?: (state: State) => boolean;
}

interface Kept<State> {
  readonly state: State;
  /** UTF-16 code units of the payloads that were folded. */
  readonly length: number;
}

interface KeptMost {
  readonly streams: number;
  readonly places: number;
  /** UTF-16 code units. */
  readonly length: number;
}

/** Streams that are kept, places of each, and the payloads that all kept folds may stand for together: a state holds no more than them. */
const defaultMost: KeptMost = Object.freeze({ streams: 64, places: 4, length: 64 * 1024 * 1024 });

/**
 * Folds of streams that are asked for again and again, such as a session with many forks. What was recorded never changes, so a
 * fold is continued where it stopped: the event there is read again, and where it is not the one that was folded, hash for hash, the
 * whole stream is read as if nothing had been kept. An answer is as new as a read of the stream would be.
 */
export class KeptFolds<State> {
  /** Of each stream, the least recently asked for first, the folds that are kept by ascending version. */
  readonly #kept = new Map<string, readonly Kept<State>[]>();

  constructor(
    private readonly store: Pick<TranscriptStore, 'readStream'>,
    private readonly fold: Fold<State>,
    private readonly most: KeptMost = defaultMost,
  ) {}

  /** The stream as it stands, or as it stood at a version; what `add` throws, it throws. */
  async upTo(stream: string, version = Number.MAX_SAFE_INTEGER): Promise<State> {
    const known = this.#kept.get(stream)?.findLast(({ state }) => this.#versionOf(state) <= version);
    const begun = { state: this.fold.begin(stream), length: 0 };
    const kept =
      (known === undefined ? null : await this.#goOn(stream, known, version)) ??
      (await this.#read(stream, begun, version));
    this.#keep(stream, kept);
    return kept.state;
  }

  /** Null where the stream is no longer what was folded. */
  async #goOn(stream: string, known: Kept<State>, version: number): Promise<Kept<State> | null> {
    const head = this.fold.headOf(known.state);
    if (head.version === version) return known;
    const limit = limitOf(version - head.version + 1);
    const { events, next } = await this.store.readStream(stream, head.version - 1, limit);
    const [there, ...behind] = events;
    if (there?.version !== head.version || there.hash !== head.hash || !isSound(there)) return null;
    const further = this.#add(known, behind);
    return next === null || next >= version ? further : this.#read(stream, further, version);
  }

  async #read(stream: string, from: Kept<State>, version: number): Promise<Kept<State>> {
    let kept = from;
    let after: number | null = this.#versionOf(from.state);
    while (after !== null && after < version) {
      const page = await this.store.readStream(stream, after, limitOf(version - after));
      kept = this.#add(kept, page.events);
      after = page.next;
    }
    return kept;
  }

  #add({ state, length }: Kept<State>, events: readonly RecordedEvent[]): Kept<State> {
    if (events.length === 0) return { state, length };
    const added = events.reduce((sum, { data = '' }) => sum + data.length, 0);
    return { state: this.fold.add(state, events), length: length + added };
  }

  #keep(stream: string, kept: Kept<State>): void {
    const version = this.#versionOf(kept.state);
    if (version === 0 || !this.#mayKeep(kept)) return;
    const others = (this.#kept.get(stream) ?? []).filter(({ state }) => this.#versionOf(state) !== version);
    const places = [...others, kept].sort((a, b) => this.#versionOf(a.state) - this.#versionOf(b.state));
    this.#kept.delete(stream);
    this.#kept.set(stream, this.#fitting(places.slice(-this.most.places)));
    while (
      this.#kept.size > this.most.streams ||
      lengthOf([...this.#kept.values()].flat()) > this.most.length
    )
      this.#kept.delete(this.#kept.keys().next().value ?? '');
  }

  #mayKeep({ state, length }: Kept<State>): boolean {
    return length <= this.most.length && this.fold.mayKeep?.(state) !== false;
  }

  /** The newest places of one stream that fit. */
  #fitting(places: readonly Kept<State>[]): readonly Kept<State>[] {
    return lengthOf(places) > this.most.length ? this.#fitting(places.slice(1)) : places;
  }

  #versionOf(state: State): number {
    return this.fold.headOf(state).version;
  }
}

const lengthOf = (folds: readonly { readonly length: number }[]): number =>
  folds.reduce((sum, { length }) => sum + length, 0);

/** A page to a version need not be fetched further; to the end it is as long as pages are. */
const limitOf = (events: number): number | undefined => (events > 1_000 ? undefined : events);
