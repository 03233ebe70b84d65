import { createDataSource, runMigrations } from '#transcripts';
import { CreateDispatch1767000000300 } from '../dispatch/dispatch.migration.js';
import { CreateGrandchild1767000000600 } from '../liveness/grandchild.migration.js';
import { CreatePresence1767000000400 } from '../liveness/presence.migration.js';
import { CreateAgentRoster1767000000100 } from '../projections/agent-roster/agent-roster.migration.js';
import { CreateApprovalInbox1767000000200 } from '../projections/approval-inbox/approval-inbox.migration.js';

/** The migrations of this app beside those of the log. Numbered, immutable once released. */
const migrations = [
  CreateAgentRoster1767000000100,
  CreateApprovalInbox1767000000200,
  CreateDispatch1767000000300,
  CreatePresence1767000000400,
  CreateGrandchild1767000000600,
];

/** Brings a database up to date; safe with any number of processes starting at once. */
export async function migrateDatabase(url: string, onError: (error: Error) => void): Promise<void> {
  const source = createDataSource({
    url,
    extraMigrations: migrations,
    poolSize: 1,
    applicationName: 'offshoot-migrate',
    onError,
  });
  await source.initialize();
  try {
    await runMigrations(source);
  } finally {
    await source.destroy();
  }
}
