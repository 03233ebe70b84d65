import type { DedicatedSession } from './dedicated-session.js';

/**
 * The workers that nobody declared dead, one row each, for joins. Whoever is not in it is dead, also when its row is gone:
 * a run whose worker is not in this set has lost its holder (spec 03 §5).
 */
export const livingWorkersSql = `select id, pid, host, capacity, started_at from worker where dead_at is null`;

/** One living worker process. */
export interface LivingWorker {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** How many agents it runs at once. */
  readonly capacity: number;
  readonly startedAt: Date;
}

/** All living workers, oldest first. */
export async function readLivingWorkers(session: DedicatedSession): Promise<readonly LivingWorker[]> {
  return await session.query<LivingWorker>(
    `select id, pid, host, capacity, started_at as "startedAt" from (${livingWorkersSql}) w order by started_at, id`,
  );
}
