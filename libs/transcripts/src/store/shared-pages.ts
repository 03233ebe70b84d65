import type { LogPlace } from '../events/recorded-event.js';
import { PageWindow } from './page-window.js';
import { clampPage, nextLimit } from './store-limits.js';
import type { LogPage, TranscriptStore } from './transcript-store.js';
import type { WakeUp } from './wake-up.js';

/** What a reader of the whole log needs of a store. */
export type LogSource = Pick<TranscriptStore, 'readLog'>;

/** How long nothing behind the end stays an answer while nobody announces anything, and while rows are held back. */
const freshMs = Object.freeze({ quiet: 100, held: 2 });

/**
 * The end of the log for all readers of one process: each event is read once and handed to whoever asks for it. Pages of the log are
 * final, so what was read is true for good; a reader that is further back than what is kept reads for itself. An empty answer is
 * never older than the last wake-up; how often retention took events away is as old as the last read at the end. Throws what the store throws, to everybody who waits for that read.
 */
export class SharedPages implements LogSource {
  readonly #store: LogSource;
  readonly #wakeUp: WakeUp;
  /** A monotonic clock in milliseconds. */
  readonly #now: () => number;
  #window: PageWindow | null = null;
  #reading: Promise<void> | null = null;

  constructor(store: LogSource, wakeUp: WakeUp, now: () => number = () => performance.now()) {
    this.#store = store;
    this.#wakeUp = wakeUp;
    this.#now = now;
  }

  async readLog(after: LogPlace | null, limit?: number): Promise<LogPage> {
    for (;;) {
      const window = this.#windowFor(after);
      if (window === null) return this.#store.readLog(after, limit);
      const events = window.behind(after, clampPage(limit));
      if (events.length > 0) return window.pageOf(events);
      if (this.#isFresh(window)) return window.pageOf([], after);
      await this.#extend(window);
    }
  }

  /** Null for a reader that is further back than what is kept. One that is ahead of it has seen the newer end. */
  #windowFor(after: LogPlace | null): PageWindow | null {
    const window = this.#window;
    if (window !== null && !window.isBefore(after)) return window.isBehind(after) ? null : window;
    this.#window = new PageWindow(after);
    return this.#window;
  }

  #isFresh({ end }: PageWindow): boolean {
    if (end === null || end.more !== end.held) return false;
    if (end.seen !== this.#wakeUp.count) return false;
    return this.#now() - end.atMs < (end.held ? freshMs.held : freshMs.quiet);
  }

  /** One read at a time: who comes while it is under way looks at what it brought and reads again where that is too old. */
  async #extend(window: PageWindow): Promise<void> {
    this.#reading ??= this.#read(window).finally(() => (this.#reading = null));
    await this.#reading;
  }

  async #read(window: PageWindow): Promise<void> {
    const seen = this.#wakeUp.count;
    const atMs = this.#now();
    try {
      const limit = window.end === null ? undefined : nextLimit(window.end);
      window.add(await this.#store.readLog(window.last, limit), { seen, atMs });
    } catch (thrown) {
      // Whatever made it fail, a database that came back may be another one.
      this.#window = null;
      throw thrown;
    }
  }
}
