import { type AgentMeta, isAgentId } from '#transcripts';
import type { Principal } from '../auth/principal.js';
import { ProblemError } from '../http/problem.js';
import { LogTools } from '../log/log-tools.js';
import type { MetaCache } from '../log/meta-cache.js';

/** Reads agents for a principal. An agent of another tenant does not exist for it, in words and in status (SEC-1). */
export class AgentAccess {
  constructor(
    private readonly tools: LogTools,
    private readonly cache: MetaCache,
  ) {}

  async load(agentId: string, principal: Principal): Promise<AgentMeta> {
    const meta = isAgentId(agentId) ? await this.cache.current(agentId) : null;
    if (meta === null || meta.status === 'absent' || meta.tenant !== principal.tenant) {
      throw notFound();
    }
    return meta;
  }

  /** Checks that the principal may see the agent, by its first event alone. */
  async exists(agentId: string, principal: Principal): Promise<void> {
    const first = isAgentId(agentId)
      ? (await this.tools.store.readStream(agentId, 0, 1)).events[0]
      : undefined;
    if (first?.tenant !== principal.tenant) throw notFound();
  }
}

const notFound = (): ProblemError => new ProblemError('AGENT_NOT_FOUND', 'No agent of this id exists.');
