import { embeddedClusterExists, type OffshootConfig, startEmbeddedPostgres } from '#platform';
import { DataDirHeldError } from '../up/data-dir-held-error.js';
import { type HeldDataDir, holdDataDir } from '../up/hold-data-dir.js';
import { NoDatabaseError } from './no-database-error.js';

/** Whether a command reads what is there, or may begin a new database. */
export type DatabaseNeed = 'existing' | 'any';

/**
 * Runs a command over the database that the configuration names: `DATABASE_URL`, else the embedded one of the data directory, whether it
 * runs or not. One that does not run is started for the command, kept from a supervisor meanwhile, and stopped again; a
 * running one is left running. Throws `NoDatabaseError`.
 */
export async function withDatabase<T>(
  config: OffshootConfig,
  need: DatabaseNeed,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl !== undefined) return work(config.databaseUrl);
  const { dataDir } = config;
  if (need === 'existing' && !embeddedClusterExists(dataDir)) {
    throw new NoDatabaseError(
      `There is no database in ${dataDir}. Set OFFSHOOT_DATA_DIR to the folder of one, or DATABASE_URL.`,
    );
  }
  const held = await holdUnlessRunning(dataDir);
  try {
    const server = await startEmbeddedPostgres({ dataDir });
    try {
      return await work(server.url);
    } finally {
      if (held !== null && !server.adopted) await server.stop();
    }
  } finally {
    await held?.release();
  }
}

/** Null when a supervisor runs over the data directory: the database is its, and so is the end of it. */
async function holdUnlessRunning(dataDir: string): Promise<HeldDataDir | null> {
  try {
    return await holdDataDir(dataDir);
  } catch (thrown) {
    if (thrown instanceof DataDirHeldError) return null;
    throw thrown;
  }
}
