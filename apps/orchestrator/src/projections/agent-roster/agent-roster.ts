import type { Pool } from 'pg';
import type { AgentSummary } from '../../agents/queries/agent-view.js';
import type { ListAgentsRequest } from '../../agents/queries/list-agents.request.js';

/** Queries over the list of agents. May be a moment behind the log; nothing that must be exact is decided on it. */
export class AgentRoster {
  constructor(private readonly pool: Pool) {}

  /** A page, newest first: ids are time-ordered, so that paging never skips or repeats one. */
  async list(tenant: string, request: ListAgentsRequest): Promise<readonly AgentSummary[]> {
    const { session = null, status = null, kind = null, after = null, limit } = request;
    const result = await this.pool.query<{ summary: string }>(
      `select summary from agent_roster
       where tenant = $1 and ($2::uuid is null or session_id = $2) and ($3::text is null or status = $3)
         and ($4::text is null or kind = $4) and ($5::uuid is null or agent_id < $5)
       order by agent_id desc limit $6`,
      [tenant, session, status, kind, after, limit],
    );
    return result.rows.map((row) => JSON.parse(row.summary) as AgentSummary);
  }

  /** Ids and statuses of the agents that have not ended, of those that a client follows: the level signal of event streams. */
  async unfinished(
    tenant: string,
    { session, kind, agent }: Followed = {},
  ): Promise<readonly { readonly id: string; readonly status: string }[]> {
    const result = await this.pool.query<{ id: string; status: string }>(
      `select agent_id as id, status from agent_roster
       where tenant = $1 and status not in ('completed', 'failed', 'cancelled', 'closed', 'idle')
         and ($2::uuid[] is null or session_id = any ($2)) and ($3::text[] is null or kind = any ($3))
         and ($4::uuid[] is null or agent_id = any ($4))
       order by agent_id limit 10000`,
      [tenant, ...[session, kind, agent].map((accepted) => (accepted === undefined ? null : [...accepted]))],
    );
    return result.rows;
  }
}

/** Whom the filters of a stream are for; all when one is absent. */
interface Followed {
  readonly session?: ReadonlySet<string>;
  readonly kind?: ReadonlySet<string>;
  readonly agent?: ReadonlySet<string>;
}
