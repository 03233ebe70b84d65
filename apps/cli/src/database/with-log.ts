import { errorCode } from '#platform';
import { openPostgresLog, type PostgresLog } from '#transcripts';
import { NoDatabaseError } from './no-database-error.js';

/** undefined_table */
const noTable = '42P01';

/** Runs a command over the log of a database. Throws `NoDatabaseError` when the database holds none. */
export async function withLog<T>(databaseUrl: string, work: (log: PostgresLog) => Promise<T>): Promise<T> {
  const log = await openPostgresLog({
    url: databaseUrl,
    applicationName: 'offshoot-cli',
    writers: 1,
    readers: 4,
  });
  try {
    return await work(log);
  } catch (thrown) {
    if (errorCode(thrown) !== noTable) throw thrown;
    throw new NoDatabaseError(
      'The database holds no log of Offshoot: "offshoot up" makes one, and so does "offshoot import".',
      {
        cause: thrown,
      },
    );
  } finally {
    await log.close();
  }
}
