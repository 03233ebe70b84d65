import { childEnvironment, errorCode, KeyStore, loadConfig } from '#platform';
import { createPool } from '#transcripts';
import { NoDatabaseError } from '../database/no-database-error.js';
import { type DatabaseNeed, withDatabase } from '../database/with-database.js';
import { builtPrograms } from '../up/programs.js';
import { runMigrations } from '../up/run-migrations.js';

/** undefined_table */
const noTable = '42P01';

/**
 * Works on the keys of the configured database, running or not. With `any` the database is made or brought up to date first. Throws
 * `NoDatabaseError` where there is none, or none that has keys.
 */
export function withKeys<T>(need: DatabaseNeed, work: (keys: KeyStore) => Promise<T>): Promise<T> {
  return withDatabase(loadConfig(), need, async (databaseUrl) => {
    if (need === 'any')
      await runMigrations(builtPrograms().migrate, {
        env: childEnvironment({ DATABASE_URL: databaseUrl }),
        output: 'ignore',
      });
    const pool = createPool({ url: databaseUrl, max: 1, applicationName: 'offshoot-keys' });
    try {
      return await work(new KeyStore(pool));
    } catch (thrown) {
      if (errorCode(thrown) !== noTable) throw thrown;
      throw new NoDatabaseError(
        'The database holds no keys of Offshoot: "offshoot keys create" makes the first one.',
        { cause: thrown },
      );
    } finally {
      await pool.end();
    }
  });
}
