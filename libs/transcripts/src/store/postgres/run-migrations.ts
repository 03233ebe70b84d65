import { setTimeout as sleep } from 'node:timers/promises';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { openLogGeneration } from './log-generation.js';

// Any constant: it only has to be ours and the same in every process.
const lockKey = '7308041931276544001';

/**
 * Brings the schema up to date and opens the log's generation, one process after the other however many start at
 * once. `dataSource` must be initialised. Needs one connection. Throws when a migration fails; that one is rolled back.
 */
export async function runMigrations(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.connect();
    await refuseOtherEncodings(runner);
    await takeLock(runner);
    try {
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'each';
      await executor.executePendingMigrations();
      await openLogGeneration(runner);
    } finally {
      await runner.query(`select pg_advisory_unlock(${lockKey})`);
    }
  } finally {
    await runner.release();
  }
}

/** True when the database lacks a migration that this program knows: a program must not serve then. */
export function hasPendingMigrations(dataSource: DataSource): Promise<boolean> {
  return dataSource.showMigrations();
}

// Polled, not waited for: a waiting statement holds a snapshot, and a migration that builds an index concurrently
// would wait for that snapshot while we wait for its lock.
async function takeLock(runner: QueryRunner): Promise<void> {
  for (;;) {
    const rows = (await runner.query(`select pg_try_advisory_lock(${lockKey}) as taken`)) as {
      readonly taken: boolean;
    }[];
    if (rows[0]?.taken === true) return;
    await sleep(50);
  }
}

async function refuseOtherEncodings(runner: QueryRunner): Promise<void> {
  const rows = (await runner.query('show server_encoding')) as { readonly server_encoding: string }[];
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8') {
    throw new Error(
      `The database is encoded in ${encoding ?? 'nothing known'}; create it with UTF8, the log stores payloads byte for byte.`,
    );
  }
}
