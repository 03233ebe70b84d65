import type { LiveEvent } from '../state/cloud-event.js';
import { InboxExpectation, type Listed } from '../state/inbox-expectation.js';
import type { PageState } from '../state/page-state.js';
import { loadInbox, loadQuestions } from './load-extras.js';
import type { Store } from './store.js';
import { throttled } from './throttle.js';

const intervalMs = 700;
const mostTries = 40;

/** Reads the approvals and questions that wait, and again until they are what the event stream told. */
export class InboxReader {
  readonly #store: Store<PageState>;
  readonly #expectation = new InboxExpectation();
  #triesLeft = 0;
  /** Reads the inbox soon. */
  readonly read: () => void;

  constructor(store: Store<PageState>) {
    this.#store = store;
    this.read = throttled(() => this.#readOnce(), intervalMs);
  }

  hear(events: readonly LiveEvent[]): void {
    if (!this.#expectation.hear(events, this.#listed())) return;
    this.#triesLeft = mostTries;
    this.read();
  }

  async #readOnce(): Promise<void> {
    await Promise.all([loadInbox(this.#store), loadQuestions(this.#store)]);
    if (!this.#expectation.compare(this.#listed())) return;
    this.#triesLeft -= 1;
    if (this.#triesLeft > 0) this.read();
    else this.#expectation.giveUp();
  }

  #listed(): readonly Listed[] {
    const { inbox, questions } = this.#store.state;
    return [...(inbox ?? []), ...(questions ?? [])];
  }
}
