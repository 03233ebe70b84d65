import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';

/**
 * How long appends may be kept waiting for a lock that is not granted at once, and how often it is tried. The last try is long
 * enough for the server to call off a vacuum that stands in the way.
 */
const waitsMs = Object.freeze([50, 50, 50, 100, 100, 100, 200, 200, 1_500]);
const restMs = 100;

/**
 * Waits for appends in flight and keeps new ones out until the transaction ends, so that what it looks at next is all that there is. False
 * when the log was not free; the transaction goes on without the lock.
 */
export async function lockLog(client: PoolClient): Promise<boolean> {
  for (const waitMs of waitsMs) {
    await client.query('savepoint before_lock');
    try {
      await client.query(`set local lock_timeout = ${waitMs}`);
      await client.query('lock table event in share row exclusive mode');
      return true;
    } catch (thrown) {
      if (!isLockTimeout(thrown)) throw thrown;
      await client.query('rollback to savepoint before_lock');
      await pause(restMs);
    }
  }
  return false;
}

/** lock_not_available, and deadlock_detected: an append may wait for a key that this transaction has taken away. */
export const isLockTimeout = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && (thrown.code === '55P03' || thrown.code === '40P01');
