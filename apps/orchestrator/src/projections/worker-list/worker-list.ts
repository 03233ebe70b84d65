import type { Pool } from 'pg';
import { livingWorkersSql } from '#platform';

export interface WorkerItem {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  readonly startedAt: string;
  /** Ids of the agents it runs. */
  readonly agents: readonly string[];
  /** How many results of calls came after their run was stopped, and were dropped. */
  readonly lateResults: number;
}

/** The living workers, from their life signs and the list of agents. */
export class WorkerList {
  constructor(private readonly pool: Pool) {}

  async list(tenant: string): Promise<readonly WorkerItem[]> {
    const result = await this.pool.query<WorkerItem>(
      `select living.id, living.pid, living.host, living.started_at as "startedAt",
         coalesce(array_agg(roster.agent_id) filter (where roster.agent_id is not null), '{}')::text[] as agents,
         coalesce((select results from late_result late where late.worker_id = living.id and late.tenant = $1), 0)::float8 as "lateResults"
       from (${livingWorkersSql}) living
       left join agent_roster roster on roster.worker_id = living.id and roster.status = 'running' and roster.tenant = $1
       group by living.id, living.pid, living.host, living.started_at order by living.started_at, living.id`,
      [tenant],
    );
    return result.rows;
  }
}
