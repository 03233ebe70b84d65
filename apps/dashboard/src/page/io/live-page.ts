import type { Frame } from '../state/cloud-event.js';
import type { Connection } from '../state/connection.js';
import { withFrames, type PageState } from '../state/page-state.js';
import { parseRoute, type Route } from '../state/route.js';
import { openTranscript, resumedTranscript } from '../state/transcript.js';
import { EventFeed } from './event-feed.js';
import { InboxReader } from './inbox-reader.js';
import { StaleReader, loadAgents } from './load-agents.js';
import { loadOpenPage, loadWorkers } from './load-extras.js';
import { loadTranscript } from './load-transcript.js';
import type { Store } from './store.js';
import { throttled } from './throttle.js';

const workersEveryMs = 5000;

/**
 * Keeps the page's state true. Order that matters: the stream is opened first and the list read after it answers,
 * so that nothing that happens in between is missed; the folds drop what both of them tell.
 */
export class LivePage {
  readonly #store: Store<PageState>;
  readonly #feed: EventFeed;
  readonly #stale: StaleReader;
  readonly #refreshPage: () => void;
  readonly #inbox: InboxReader;
  readonly #refreshStale: () => void;
  readonly #refreshTail: () => void;
  #isWhole = false;
  #gapsInARow = 0;

  constructor(store: Store<PageState>) {
    this.#store = store;
    this.#stale = new StaleReader(store);
    this.#refreshPage = throttled(() => loadOpenPage(store), 700);
    this.#inbox = new InboxReader(store);
    this.#refreshStale = throttled(() => this.#readStale(), 500);
    this.#refreshTail = throttled(() => this.#readTail(), 500);
    this.#feed = new EventFeed({
      onFrames: (frames) => this.#onFrames(frames),
      onConnection: (connection) => this.#onConnection(connection),
    });
  }

  start(): void {
    window.addEventListener('hashchange', () => this.#follow(parseRoute(location.hash)));
    this.#follow(parseRoute(location.hash));
    this.#feed.open(null);
    this.#inbox.read();
    void loadWorkers(this.#store);
    setInterval(() => {
      if (!document.hidden) void loadWorkers(this.#store);
    }, workersEveryMs);
  }

  /** Reads the next part of a transcript that was too long to read at once. */
  readOn(): void {
    const { transcript } = this.#store.state;
    if (transcript === null) return;
    this.#store.update((state) => ({ ...state, transcript: resumedTranscript(transcript) }));
    void loadTranscript(this.#store, transcript.agentId);
  }

  /** An approval was answered: the inbox is read again. */
  inboxChanged(): void {
    this.#inbox.read();
  }

  #follow(route: Route): void {
    const isAgent = route.view === 'agent';
    this.#store.update((state) => ({
      ...state,
      route,
      openPage: { phase: isAgent ? 'loading' : 'none' },
      transcript: isAgent ? openTranscript(route.id) : null,
    }));
    if (!isAgent) return;
    void loadOpenPage(this.#store);
    void loadTranscript(this.#store, route.id);
  }

  #onConnection(connection: Connection): void {
    this.#store.update((state) => ({ ...state, connection }));
    if (connection === 'live') {
      if (!this.#isWhole) void this.#readAll();
      return;
    }
    if (!this.#feed.hasPlace) this.#isWhole = false;
    // Without a stream an old list is better than none.
    if (connection === 'reconnecting' && !this.#store.state.roster.isLoaded) void loadAgents(this.#store);
  }

  async #readAll(): Promise<void> {
    const isFirst = !this.#store.state.roster.isLoaded;
    this.#isWhole = true;
    if (!isFirst) this.#follow(this.#store.state.route);
    await loadAgents(this.#store);
    if (this.#store.state.listProblem !== null) this.#isWhole = false;
    this.#refreshStale();
  }

  #onFrames(frames: readonly Frame[]): void {
    const gap = frames.findLast((frame) => frame.kind === 'gap');
    this.#store.update((state) => withFrames(state, frames));
    if (gap !== undefined) this.#startOver(gap.resumeAfter);
    else if (frames.some((frame) => frame.kind === 'event')) this.#gapsInARow = 0;
    this.#refreshAfter(frames);
  }

  #refreshAfter(frames: readonly Frame[]): void {
    const { route, roster, transcript } = this.#store.state;
    const events = frames.flatMap((frame) => (frame.kind === 'event' ? [frame.event] : []));
    if (route.view === 'agent' && events.some((event) => event.agentId === route.id)) this.#refreshPage();
    this.#inbox.hear(events);
    if (roster.stale.size > 0) this.#refreshStale();
    if (transcript?.phase === 'torn') this.#refreshTail();
  }

  async #readStale(): Promise<void> {
    await this.#stale.read();
    const { stale, isLoaded } = this.#store.state.roster;
    if (stale.size > 0 && isLoaded) this.#refreshStale();
  }

  async #readTail(): Promise<void> {
    const { transcript } = this.#store.state;
    if (transcript?.phase !== 'torn') return;
    this.#store.update((state) => ({ ...state, transcript: resumedTranscript(transcript) }));
    await loadTranscript(this.#store, transcript.agentId);
    if (this.#store.state.transcript?.phase === 'torn') this.#refreshTail();
  }

  /**
   * After a gap nothing on the page is known to be whole: all of it is read again behind the new stream. A second
   * gap in a row means that the place to resume from is of no use, so the stream is opened without one.
   */
  #startOver(resumeAfter: string | null): void {
    this.#isWhole = false;
    this.#gapsInARow += 1;
    this.#store.update((state) => ({ ...state, connection: 'catching-up' }));
    this.#feed.open(this.#gapsInARow > 1 ? null : resumeAfter);
    this.#inbox.read();
  }
}
