import { createDataSource, hasPendingMigrations, runMigrations } from '#transcripts';
import { CreateUndeliveredOutcome1767000330000 } from '../delivery/undelivered-outcome.migration.js';
import { CreateDispatch1767000000300 } from '../dispatch/dispatch.migration.js';
import { CreateModelRequest1767000360000 } from '../dispatch/model-request.migration.js';
import { MakeDispatchFair1767000000800 } from '../dispatch/fair-dispatch.migration.js';
import { KeepOwnModel1767000320000 } from '../dispatch/own-model.migration.js';
import { NoteTries1767000340000 } from '../dispatch/tried-by.migration.js';
import { CreateGrandchild1767000000600 } from '../liveness/grandchild.migration.js';
import { CountLateResults1767000350000 } from '../liveness/late-result.migration.js';
import { CreatePresence1767000000400 } from '../liveness/presence.migration.js';
import { CreateAgentRoster1767000000100 } from '../projections/agent-roster/agent-roster.migration.js';
import { IndexUnfinishedChildren1767000000900 } from '../projections/agent-roster/unfinished-children.migration.js';
import { CreateApprovalInbox1767000000200 } from '../projections/approval-inbox/approval-inbox.migration.js';
import { CreateQuestionInbox1767000000700 } from '../projections/question-inbox/question-inbox.migration.js';
import { CreateApiKey1767000003100 } from './api-key.migration.js';
import { CreateRefusal1767000029100 } from '../projections/refusals/refusals.migration.js';
import { CreateAgentUsage1767000029200 } from '../projections/usage/usage.migration.js';
import { CreateProviderPause1767000001000 } from './provider-pause.migration.js';

/** The migrations of this app beside those of the log. Numbered, immutable once released. */
const migrations = [
  CreateAgentRoster1767000000100,
  CreateApprovalInbox1767000000200,
  CreateDispatch1767000000300,
  CreatePresence1767000000400,
  CreateGrandchild1767000000600,
  CreateQuestionInbox1767000000700,
  MakeDispatchFair1767000000800,
  IndexUnfinishedChildren1767000000900,
  CreateProviderPause1767000001000,
  CreateApiKey1767000003100,
  CreateRefusal1767000029100,
  CreateAgentUsage1767000029200,
  KeepOwnModel1767000320000,
  CreateUndeliveredOutcome1767000330000,
  NoteTries1767000340000,
  CountLateResults1767000350000,
  CreateModelRequest1767000360000,
];

/** Brings a database up to date; safe with any number of processes starting at once. */
export function migrateDatabase(url: string, onError: (error: Error) => void): Promise<void> {
  return withSource(url, onError, runMigrations);
}

export interface MigrationState {
  /** The database lacks a migration that this program knows. */
  readonly isPending: boolean;
  /** Migrations that ran there and that this program does not know: a newer release was here. */
  readonly unknown: readonly string[];
}

/** Compares the migrations that ran on a database with those of this program. Changes nothing. */
export function migrationState(url: string, onError: (error: Error) => void): Promise<MigrationState> {
  return withSource(url, onError, async (source) => {
    const isPending = await hasPendingMigrations(source);
    const ran = await source.query<{ readonly name: string }[]>('select name from migration order by name');
    const known = new Set(source.migrations.map(({ name, constructor }) => name ?? constructor.name));
    return { isPending, unknown: ran.map(({ name }) => name).filter((name) => !known.has(name)) };
  });
}

async function withSource<T>(
  url: string,
  onError: (error: Error) => void,
  work: (source: ReturnType<typeof createDataSource>) => Promise<T>,
): Promise<T> {
  const source = createDataSource({
    url,
    extraMigrations: migrations,
    poolSize: 1,
    applicationName: 'offshoot-migrate',
    onError,
  });
  await source.initialize();
  try {
    return await work(source);
  } finally {
    await source.destroy();
  }
}
