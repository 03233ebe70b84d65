import { createTestDatabase } from '../../../../../../test/support/test-database.js';
import { createDataSource } from '../create-data-source.js';
import { openPostgresLog, type PostgresLog } from '../open-postgres-log.js';
import type { PostgresTranscriptStore } from '../postgres-transcript-store.js';
import { runMigrations } from '../run-migrations.js';

/** A log in a database of its own, for one spec file. */
export interface TestLog {
  readonly url: string;
  readonly store: PostgresTranscriptStore;
  /** The same log opened once more, as another process would have it; closed with the rest. */
  open(connections?: number): Promise<PostgresLog>;
  close(): Promise<void>;
}

export async function openTestLog(): Promise<TestLog> {
  const database = await createTestDatabase();
  await migrate(database.url);
  const opened: PostgresLog[] = [];
  const open = async (connections = 4): Promise<PostgresLog> => {
    const log = await openPostgresLog({ url: database.url, writers: connections, readers: connections });
    opened.push(log);
    return log;
  };
  const { store } = await open();
  return {
    url: database.url,
    store,
    open,
    close: async () => {
      for (const log of opened) await log.close();
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
