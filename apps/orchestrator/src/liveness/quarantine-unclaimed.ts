import type { Pool } from 'pg';
import {
  accepted,
  type AgentMeta,
  type Decision,
  executeCommand,
  isDispatchable,
  loadMeta,
} from '#transcripts';
import type { LogTools } from '../log/log-tools.js';

/** Workers that were lost while they claimed an agent; then it is quarantined. The first loss is not among them: nobody notes a first try. */
const lossLimit = 5;

/** Losses of agents that wait. A worker that was stopped or cut off was not taken by what it claimed, and a dead one that is forgotten may have been. */
const unclaimed = `
  select * from (
    select agent_id, epoch, (
      select count(*)::int from unnest(tried_by) tried(id) left join worker on worker.id = tried.id
      where worker.id is null or worker.death_cause in ('crashed', 'frozen')) as losses
    from dispatch where not is_running and cardinality(tried_by) >= ${lossLimit}) waiting
  where losses >= ${lossLimit} limit 200`;

interface Unclaimed {
  readonly agent_id: string;
  readonly epoch: number;
  readonly losses: number;
}

/**
 * Holds back agents that took worker after worker before one could record that it runs them, so that no record counts them (field
 * case C07). A level: what one look misses, the next one finds.
 */
export async function quarantineUnclaimed(pool: Pool, tools: LogTools): Promise<void> {
  const { rows } = await pool.query<Unclaimed>(unclaimed);
  await Promise.all(rows.map((row) => quarantine(row, tools)));
}

async function quarantine({ agent_id: stream, epoch, losses }: Unclaimed, tools: LogTools): Promise<void> {
  const agent = await loadMeta(tools.store, stream);
  const detail = `${losses} workers were lost in a row while they claimed it.`;
  await executeCommand(tools, {
    stream,
    from: agent,
    context: { actor: 'system:liveness', tenant: agent.tenant },
    decide: (meta) => hold(meta, epoch, detail),
  });
}

const hold = (meta: AgentMeta, epoch: number, detail: string): Decision =>
  isDispatchable(meta) && meta.epoch + 1 === epoch
    ? accepted({ type: 'RevivalBlocked', data: { reason: 'quarantined', detail } })
    : accepted();
