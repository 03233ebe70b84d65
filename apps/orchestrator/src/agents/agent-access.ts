import { type AgentMeta, isAgentId, isSound } from '#transcripts';
import type { Principal } from '../auth/principal.js';
import { EdgeCode, ProblemError } from '../http/problem.js';
import { LogTools } from '../log/log-tools.js';
import type { MetaCache } from '../log/meta-cache.js';

/**
 * Reads agents for a principal. An agent of another tenant does not exist for it, in words and in status (SEC-1); of an archived one of its own
 * it learns that.
 */
export class AgentAccess {
  constructor(
    private readonly tools: LogTools,
    private readonly cache: MetaCache,
  ) {}

  async load(agentId: string, principal: Principal): Promise<AgentMeta> {
    const meta = isAgentId(agentId) ? await this.cache.current(agentId) : null;
    if (meta === null || meta.status === 'absent') throw await this.notHere(agentId, principal);
    if (meta.tenant !== principal.tenant) throw notFound();
    return meta;
  }

  /** Checks that the principal may see the agent, by its first event alone where that can be read. */
  async exists(agentId: string, principal: Principal): Promise<void> {
    const first = isAgentId(agentId)
      ? (await this.tools.store.readStream(agentId, 0, 1)).events[0]
      : undefined;
    if (first === undefined) throw await this.notHere(agentId, principal);
    if (!isSound(first)) await this.load(agentId, principal);
    else if (first.tenant !== principal.tenant) throw notFound();
  }

  private async notHere(agentId: string, { tenant }: Principal): Promise<ProblemError> {
    const archived = isAgentId(agentId) ? await this.tools.store.findArchived(agentId) : null;
    if (archived?.tenant !== tenant) return notFound();
    return new ProblemError(
      EdgeCode.AGENT_ARCHIVED,
      `The agent was archived with session ${archived.root}; an import of its file brings it back.`,
    );
  }
}

const notFound = (): ProblemError => new ProblemError('AGENT_NOT_FOUND', 'No agent of this id exists.');
