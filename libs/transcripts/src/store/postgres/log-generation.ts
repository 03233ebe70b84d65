import type { QueryRunner } from 'typeorm';

/**
 * Opens a new generation of the log when the cluster's transaction ids cannot go on from the stored ones (spec 03 §2):
 * after a dump and restore into another cluster, where a stored xid may lie ahead of the current one or another system
 * identifier answers. Older generations are then read without regard to their xids. Answers the current generation.
 */
export async function openLogGeneration(runner: QueryRunner): Promise<number> {
  await runner.startTransaction();
  try {
    // Waits for appends in flight and keeps new ones out, so that none lands in a generation that readers have left.
    if (await mustOpen(runner)) await runner.query('lock table event in share row exclusive mode');
    if (await mustOpen(runner)) {
      await runner.query(`insert into log_generation (generation, system_identifier)
        select coalesce(max(generation), 0) + 1, (${systemIdentifier}) from log_generation`);
    }
    const [row] = (await runner.query(
      'select max(generation) as generation from log_generation',
    )) as GenerationRow[];
    await runner.commitTransaction();
    return Number(row?.generation);
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

interface GenerationRow {
  readonly generation: number;
}

const systemIdentifier = 'select system_identifier::text from pg_control_system()';

/** Answers one row, `stale`, unless no generation was opened yet. */
export const generationStaleText = `select
    coalesce(g.system_identifier is distinct from (${systemIdentifier}), false)
    or exists (select 1 from event e where (e.generation, e.xid, e.position)
      >= (g.generation, pg_snapshot_xmax(pg_current_snapshot()), 0::bigint)) as stale
    from log_generation g order by generation desc limit 1`;

async function mustOpen(runner: QueryRunner): Promise<boolean> {
  const rows = (await runner.query(generationStaleText)) as { readonly stale: boolean }[];
  return rows[0]?.stale ?? true;
}
