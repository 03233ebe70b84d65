import { createTestDatabase } from '../../../../../../test/support/test-database.js';
import { createDataSource } from '../create-data-source.js';
import { createPool } from '../create-pool.js';
import { PostgresTranscriptStore } from '../postgres-transcript-store.js';
import { runMigrations } from '../run-migrations.js';

/** A log in a database of its own, for one spec file. */
export interface TestLog {
  readonly url: string;
  readonly store: PostgresTranscriptStore;
  /** Another store over the same database, as another process would have it. */
  openStore(poolSize?: number): { store: PostgresTranscriptStore; close: () => Promise<void> };
  close(): Promise<void>;
}

export async function openTestLog(): Promise<TestLog> {
  const database = await createTestDatabase();
  await migrate(database.url);
  const opened: { close: () => Promise<void> }[] = [];
  const openStore = (poolSize = 4): { store: PostgresTranscriptStore; close: () => Promise<void> } => {
    const writers = createPool({ url: database.url, max: poolSize });
    const readers = createPool({ url: database.url, max: poolSize });
    const store = new PostgresTranscriptStore({ writers, readers });
    const close = async (): Promise<void> => {
      await store.drained();
      await Promise.all([writers.end(), readers.end()]);
    };
    opened.push({ close });
    return { store, close };
  };
  return {
    url: database.url,
    store: openStore().store,
    openStore,
    close: async () => {
      for (const { close } of opened) await close();
      await database.drop();
    },
  };
}

/** Migrates the database at `url` and leaves no connection behind. */
export async function migrate(url: string): Promise<void> {
  const dataSource = await createDataSource({ url }).initialize();
  await runMigrations(dataSource);
  await dataSource.destroy();
}
