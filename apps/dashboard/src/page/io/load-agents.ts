import { parseAgent, parsePage } from '../state/agent.js';
import type { PageState } from '../state/page-state.js';
import { withAgents, withListEnd, withoutAgent } from '../state/roster.js';
import { get } from './api.js';
import type { Store } from './store.js';

const pageSize = 200;

/** Reads the whole list of agents into the roster, page by page. */
export async function loadAgents(store: Store<PageState>): Promise<void> {
  const named = new Set<string>();
  let next: string | null = null;
  do {
    const after: string = next === null ? '' : `&after=${encodeURIComponent(next)}`;
    const answer = await get(`/v1/agents?limit=${pageSize}${after}`);
    if (!answer.ok) {
      store.update((state) => ({ ...state, listProblem: answer.problem }));
      return;
    }
    const page = parsePage(answer.body);
    const agents = page.items.flatMap((item) => parseAgent(item) ?? []);
    for (const agent of agents) named.add(agent.id);
    store.update((state) => ({ ...state, listProblem: null, roster: withAgents(state.roster, agents) }));
    next = page.next;
  } while (next !== null);
  store.update((state) => ({ ...state, roster: withListEnd(state.roster, named) }));
}

const mostAtOnce = 25;
const mostTries = 6;

/**
 * Reads stale agents again: one by one when they are few, else the whole list. An agent that the list does not
 * know yet is asked for a few times (the event stream may be ahead of it) and then forgotten.
 */
export class StaleReader {
  readonly #store: Store<PageState>;
  readonly #tries = new Map<string, number>();

  constructor(store: Store<PageState>) {
    this.#store = store;
  }

  async read(): Promise<void> {
    const { stale, isLoaded } = this.#store.state.roster;
    if (!isLoaded || stale.size === 0) return;
    if (stale.size > mostAtOnce && [...stale].every((id) => !this.#tries.has(id))) {
      for (const id of stale) this.#tries.set(id, 0);
      await loadAgents(this.#store);
      return;
    }
    await Promise.all([...stale].slice(0, mostAtOnce).map((id) => this.#readOne(id)));
  }

  async #readOne(id: string): Promise<void> {
    const answer = await get(`/v1/agents/${encodeURIComponent(id)}`);
    const agent = answer.ok ? parseAgent(answer.body) : null;
    if (agent !== null) {
      this.#tries.delete(id);
      this.#store.update((state) => ({ ...state, roster: withAgents(state.roster, [agent]) }));
      return;
    }
    const tries = (this.#tries.get(id) ?? 0) + 1;
    this.#tries.set(id, tries);
    if (tries < mostTries) return;
    this.#tries.delete(id);
    this.#store.update((state) => ({ ...state, roster: withoutAgent(state.roster, id) }));
  }
}
