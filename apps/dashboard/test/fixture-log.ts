/** A record of the fixture's log, in the order of its commit. */
export interface FixtureEvent {
  readonly cursor: string;
  readonly agentId: string;
  readonly version: number;
  readonly type: string;
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An agent as `GET /v1/agents/:id` answers it (spec 05 §9). */
export type FixtureAgent = Record<string, unknown> & {
  readonly id: string;
  kind: string;
  status: string;
  updatedAt: string;
};

/** What the fixture server answers from: agents, one log over all of them, workers and approvals. */
export class FixtureLog {
  readonly agents = new Map<string, FixtureAgent>();
  readonly events: FixtureEvent[] = [];
  readonly workers: Record<string, unknown>[] = [];
  readonly approvals: Record<string, unknown>[] = [];
  readonly questions: Record<string, unknown>[] = [];
  readonly #listeners = new Set<(event: FixtureEvent) => void>();
  readonly #versions = new Map<string, number>();
  #nowMs: number;

  constructor(startsAt: string) {
    this.#nowMs = Date.parse(startsAt);
  }

  /** Lets time pass on the log's own clock. */
  pass(ms: number): void {
    this.#nowMs += ms;
  }

  get now(): string {
    return new Date(this.#nowMs).toISOString();
  }

  addAgent(
    agent: Partial<FixtureAgent> & { readonly id: string; readonly kind: string; readonly status: string },
  ): void {
    const at = this.now;
    this.agents.set(agent.id, { ...blankAgent, createdAt: at, updatedAt: at, ...agent });
  }

  /** Commits an event, changes the agent's row with it, and tells whoever follows. */
  commit(
    agentId: string,
    type: string,
    data: Readonly<Record<string, unknown>> = {},
    row: Record<string, unknown> = {},
  ): void {
    this.pass(1);
    const version = (this.#versions.get(agentId) ?? 0) + 1;
    this.#versions.set(agentId, version);
    const agent = this.agents.get(agentId);
    if (agent !== undefined) this.agents.set(agentId, { ...agent, ...row, updatedAt: this.now });
    const event = { cursor: `c${this.events.length + 1}`, agentId, version, type, at: this.now, data };
    this.events.push(event);
    for (const listener of this.#listeners) listener(event);
  }

  follow(listener: (event: FixtureEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const blankAgent = {
  parentId: null,
  sessionId: null,
  depth: 0,
  description: '',
  policy: { kind: 'unrestricted' },
  ceiling: null,
  surface: null,
  blocked: null,
  refusals: 0,
  run: null,
  usage: {
    turns: 0,
    toolCalls: 0,
    inputTokens: 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    costUsd: 0,
  },
  limits: {},
  outcome: null,
};
