import type { DedicatedSession } from './dedicated-session.js';
import type { Death } from './judge-workers.js';
import * as sql from './presence-statements.js';
import { workerApplicationName } from './worker-application-name.js';

const waitForSessionMs = 200;

/**
 * Declares a suspect dead, if it still is one now: under the lock of its row the lease or the advisory lock is looked at
 * again, all its sessions are ended, and only then the verdict is written. So nothing that the worker had under way can
 * commit after the verdict, and a worker that renews first stays alive. False when it was not, or somebody else does it.
 */
export async function declareWorkerDead(session: DedicatedSession, death: Death): Promise<boolean> {
  await session.query('begin');
  const stillSo = await seize(session, death);
  if (stillSo) {
    const name = workerApplicationName(death.workerId);
    // All are told first and waited for afterwards, so that many sessions do not add up to the time-out.
    await session.query(sql.endSessions, [name, 0]);
    await session.query(sql.endSessions, [name, waitForSessionMs]);
    await session.query(sql.declareDead, [death.workerId, death.cause]);
  }
  await session.query(stillSo ? 'commit' : 'rollback');
  return stillSo;
}

async function seize(session: DedicatedSession, death: Death): Promise<boolean> {
  const [row] = await session.query<{ lockKey: string; leaseOver: boolean }>(sql.seize, [death.workerId]);
  if (row === undefined) {
    return false;
  }
  if (death.cause === 'frozen') {
    return row.leaseOver;
  }
  const [lock] = await session.query<{ held: boolean }>(sql.isLockHeld, [row.lockKey]);
  return lock?.held === false;
}
