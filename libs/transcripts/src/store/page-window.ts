import type { LogPlace, RecordedEvent } from '../events/recorded-event.js';
import { compareLogPlaces } from './log-place.js';
import type { LogPage } from './transcript-store.js';

/** Most that is kept, in events and in UTF-16 code units of payload. */
const most = Object.freeze({ events: 4_000, length: 8 * 1024 * 1024 });

/** How the last read at the end of a window came out, and when it began. */
interface WindowEnd {
  /** Count of the wake-ups when the read began. */
  readonly seen: number;
  readonly atMs: number;
  readonly more: boolean;
  readonly held: boolean;
  /** As in `LogPage`, of that read. */
  readonly drops: number;
}

const unread = Object.freeze({ more: true, held: false, drops: 0 });

/** A stretch of the log without holes: everything behind `first`, up to and with `last`. */
export class PageWindow {
  end: WindowEnd | null = null;
  #first: LogPlace | null;
  #last: LogPlace | null;
  #events: RecordedEvent[] = [];
  #length = 0;

  constructor(first: LogPlace | null) {
    this.#first = first;
    this.#last = first;
  }

  get last(): LogPlace | null {
    return this.#last;
  }

  /** Whether the window ends before this place. */
  isBefore(place: LogPlace | null): boolean {
    return compare(this.#last, place) < 0;
  }

  /** Whether the window begins behind this place: what lies between is not known here. */
  isBehind(place: LogPlace | null): boolean {
    return compare(this.#first, place) > 0;
  }

  /** The events behind a place of the window, at most so many. */
  behind(place: LogPlace | null, limit: number): readonly RecordedEvent[] {
    const from = this.#indexBehind(place);
    return this.#events.slice(from, from + limit);
  }

  /** Takes the page that was read behind `last`. Of a new generation on, nothing older is kept: the log was restored. */
  add({ events, next, more, held, drops }: LogPage, read: Pick<WindowEnd, 'seen' | 'atMs'>): void {
    const [head] = events;
    if (head !== undefined && head.place.generation !== (this.#last?.generation ?? head.place.generation))
      this.#drop(this.#events.length);
    this.#events.push(...events);
    this.#length += events.reduce((sum, { data = '' }) => sum + data.length, 0);
    this.#last = next;
    this.end = { ...read, more, held, drops };
    this.#dropOldest();
  }

  /** A page of the given events of the window, which were asked for behind `after`. */
  pageOf(events: readonly RecordedEvent[], after: LogPlace | null = null): LogPage {
    const next = events.at(-1)?.place ?? after;
    const { more, held, drops } = this.end ?? unread;
    // What is further on in the window can be had at once.
    return compare(next, this.#last) === 0
      ? { events, next, more, held, drops }
      : { events, next, more: true, held: false, drops };
  }

  #indexBehind(place: LogPlace | null): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(this.#events[middle]?.place ?? null, place) > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #dropOldest(): void {
    if (this.#events.length <= most.events && this.#length <= most.length) return;
    let count = 0;
    let length = this.#length;
    // Half of it goes, so that little of it is moved often.
    for (; this.#events.length - count > most.events / 2 || length > most.length / 2; count += 1)
      length -= this.#events[count]?.data?.length ?? 0;
    this.#drop(count);
  }

  #drop(count: number): void {
    const dropped = this.#events.splice(0, count);
    this.#length -= dropped.reduce((sum, { data = '' }) => sum + data.length, 0);
    this.#first = dropped.at(-1)?.place ?? this.#first;
  }
}

/** As the log orders places; the beginning of the log comes first. */
function compare(a: LogPlace | null, b: LogPlace | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compareLogPlaces(a, b);
}
