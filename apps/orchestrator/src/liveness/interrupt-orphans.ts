import type { Pool } from 'pg';
import { livingWorkersSql } from '#platform';
import { executeCommand, type EventData, interruptRun } from '#transcripts';
import type { LogTools } from '../log/log-tools.js';

type Cause = EventData<'RunInterrupted'>['cause'];

interface Orphan {
  readonly agent_id: string;
  readonly tenant: string;
  readonly run_id: string;
  readonly epoch: number;
  readonly worker_id: string;
  readonly death_cause: string | null;
}

/** Runs whose worker is not among the living. A level: what one look misses, the next one finds. */
const orphans = `
  select roster.agent_id, roster.tenant, roster.run_id, roster.epoch, roster.worker_id, worker.death_cause
  from agent_roster roster left join worker on worker.id = roster.worker_id
  where roster.status = 'running' and roster.worker_id not in (select id from (${livingWorkersSql}) living)
  limit 200`;

/** The true cause of a death, as the run's record says it. */
const causes: ReadonlyMap<string, Cause> = new Map<string, Cause>([
  ['crashed', 'crashed'],
  ['frozen', 'frozen'],
  ['cut', 'cut'],
  ['stopped', 'stopped'],
]);

/** Records the interruption of every run whose worker died; dispatch goes on with the next epoch. Returns how many there were. */
export async function interruptOrphans(pool: Pool, tools: LogTools): Promise<number> {
  const { rows } = await pool.query<Orphan>(orphans);
  await Promise.all(rows.map((orphan) => interrupt(orphan, tools)));
  return rows.length;
}

async function interrupt(orphan: Orphan, tools: LogTools): Promise<void> {
  const data = {
    runId: orphan.run_id,
    epoch: orphan.epoch,
    workerId: orphan.worker_id,
    cause: causes.get(orphan.death_cause ?? '') ?? 'crashed',
  };
  await executeCommand(tools, {
    stream: orphan.agent_id,
    context: { actor: 'system:liveness', tenant: orphan.tenant },
    decide: (meta) => interruptRun(data, meta),
  });
}
