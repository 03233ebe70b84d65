import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { LocalPolicyFiles, type PreparedLaunch, prepareLaunch } from '#agents';
import { createLogger } from '#platform';
import {
  type AgentEvent,
  createPool,
  type DropTools,
  encodeEvent,
  type Finding,
  loadMeta,
  type NewEvent,
  openPostgresLog,
  type PostgresLog,
  readCheckpoint,
  type StreamHead,
  type TranscriptStore,
} from '#transcripts';
import { event, newId, testContext } from '#transcripts/testing';
import { createTestDatabase, type TestDatabase } from '../../../../../../test/support/test-database.js';
import { LogReaders, readersWithEffects } from '../../../lifecycle/log-readers.js';
import { LogTools } from '../../../log/log-tools.js';
import { MetaCache } from '../../../log/meta-cache.js';
import { migrateDatabase } from '../../../migrations/migrate-database.js';
import { projectionsOver } from '../../../projections/projections.js';
import { examine } from '../../examine.js';
import type { OperationTools } from '../../operation-tools.js';
import { type ArchiveReport, type ArchiveRequest, archiveTrees } from '../archive-trees.js';

/** A session that was closed and the forks that ended in it. */
export interface Family {
  readonly session: string;
  readonly forks: readonly string[];
  readonly all: readonly string[];
}

/** A database with the real readers of an orchestrator over it, and a folder for archives. */
export class ArchiveHarness {
  private readers: LogReaders | null = null;

  private constructor(
    readonly database: TestDatabase,
    readonly log: PostgresLog,
    readonly operation: OperationTools,
    readonly folder: string,
  ) {}

  static async open(): Promise<ArchiveHarness> {
    const database = await createTestDatabase();
    await migrateDatabase(database.url, () => undefined);
    const log = await openPostgresLog({ url: database.url });
    const pool = createPool({ url: database.url, max: 8 });
    const tools = new LogTools(log.store, newId);
    const cache = new MetaCache(tools);
    const operation = { databaseUrl: database.url, tools, cache, pool, onProgress: () => undefined };
    const folder = await mkdtemp(join(tmpdir(), 'offshoot-archive-'));
    const harness = new ArchiveHarness(database, log, operation, folder);
    harness.startReaders();
    return harness;
  }

  async close(): Promise<void> {
    await this.stopReaders();
    await this.operation.pool.end();
    await this.log.close();
    await this.database.drop();
    await rm(this.folder, { recursive: true });
  }

  get store(): TranscriptStore {
    return this.log.store;
  }

  get pool(): pg.Pool {
    return this.operation.pool;
  }

  startReaders(): void {
    const { tools, cache, pool } = this.operation;
    const logger = createLogger('spec', { level: 'silent' });
    const { wakeUp } = this.log;
    this.readers = new LogReaders({
      ...{ tools, cache, pool, wakeUp, logger },
      pages: tools.store,
      onDispatch: () => undefined,
    });
    this.readers.start();
  }

  async stopReaders(): Promise<void> {
    await this.readers?.stop();
    this.readers = null;
  }

  /** Waits until every reader has come to the end of the log, and the end has not moved meanwhile. */
  async untilRead(): Promise<void> {
    const names = [...projectionsOver(this.operation.cache).map(({ name }) => name), ...readersWithEffects];
    for (;;) {
      const { position } = await this.last();
      const places = await Promise.all(names.map((name) => readCheckpoint(this.pool, name)));
      if (places.every((place) => place?.position === position) && (await this.last()).position === position)
        return;
      await pause(10);
    }
  }

  /** Appends to a stream wherever it stands. */
  async record(stream: string, ...facts: readonly (AgentEvent | NewEvent)[]): Promise<StreamHead> {
    const { head } = await loadMeta(this.store, stream);
    const events = facts.map((fact) => ('id' in fact ? fact : encodeEvent(fact, newId())));
    const [first, ...rest] = events as [NewEvent, ...NewEvent[]];
    const result = await this.store.append({
      stream,
      expected: head,
      events: [first, ...rest],
      context: testContext,
    });
    if (!result.ok) throw new Error(result.reason);
    return result.head;
  }

  async openSession(): Promise<string> {
    const session = newId();
    await this.record(
      session,
      event.sessionOpened({ sessionId: session }),
      event.messageAppended({ run: false }),
    );
    return session;
  }

  /** A fork of an agent's transcript as it stands, which has not been claimed. */
  async fork(session: string, source = session): Promise<string> {
    const agentId = newId();
    const { head } = await loadMeta(this.store, source);
    const parent = { agentId: source, version: head.version };
    await this.record(
      agentId,
      event.agentLaunched({ agentId, sessionId: session, parentId: session }),
      event.bootstrapRecorded({ parent, digest: head.hash }),
      event.launchPromptRecorded(),
    );
    return agentId;
  }

  /** A session with forks that completed, closed and read by everybody. `facts` are recorded in the first fork. */
  async endedFamily(forks = 2, facts: readonly (AgentEvent | NewEvent)[] = []): Promise<Family> {
    const session = await this.openSession();
    const launched: string[] = [];
    for (let n = 0; n < forks; n += 1) launched.push(await this.endedFork(session, n === 0 ? facts : []));
    await this.untilRead();
    await this.record(session, event.sessionClosed());
    await this.untilRead();
    return { session, forks: launched, all: [session, ...launched] };
  }

  async endedFork(session: string, facts: readonly (AgentEvent | NewEvent)[] = []): Promise<string> {
    const fork = await this.fork(session);
    const run = event.runStarted({ runId: newId(), workerId: newId() });
    await this.record(fork, run, event.turnRecorded(), ...facts, event.agentCompleted());
    return fork;
  }

  /** A launch of the one use case, judged while the session is open, and not recorded yet. */
  async prepareFork(session: string): Promise<PreparedLaunch> {
    const files = new LocalPolicyFiles({ userFolder: '/nowhere/agents' });
    const prepared = await prepareLaunch(
      { store: this.store, newId, files, maxDepth: 2 },
      {
        callerId: session,
        call: { description: 'look', prompt: 'look around', subagent_type: 'fork' },
        context: testContext,
        key: null,
        isHttp: true,
      },
    );
    if (!prepared.ok) throw new Error(prepared.rejection.message);
    return prepared;
  }

  archive(request: Partial<ArchiveRequest> = {}, onStep?: DropTools['onStep']): Promise<ArchiveReport> {
    const asked = { folder: this.folder, sessions: null, endedBefore: null, isDryRun: false, ...request };
    return archiveTrees(this.operation, asked, onStep);
  }

  async findings(): Promise<readonly Finding[]> {
    return (await examine(this.operation, 60)).findings;
  }

  files(): Promise<readonly string[]> {
    return readdir(this.folder);
  }

  /** Rows that name one of these agents, by table, in every table of the schema but the one that remembers archived agents. */
  async rowsAbout(agents: readonly string[]): Promise<Readonly<Record<string, number>>> {
    const { rows: columns } = await this.pool.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = 'public' and data_type = 'uuid' and table_name <> 'archived_agent' order by 1, 2`,
    );
    const found: Record<string, number> = {};
    for (const { table, column } of columns) {
      const text = `select count(*)::int as rows from ${table} where ${column} = any($1::uuid[])`;
      const { rows } = await this.pool.query<{ rows: number }>(text, [agents]);
      if (rows[0] !== undefined && rows[0].rows > 0) found[`${table}.${column}`] = rows[0].rows;
    }
    return found;
  }

  /** The end of the log, also of what no reader can see yet. */
  private async last(): Promise<{ readonly position: bigint | undefined }> {
    const { rows } = await this.pool.query<{ position: string }>(
      'select position from event order by generation desc, xid desc, position desc limit 1',
    );
    return { position: rows[0] === undefined ? undefined : BigInt(rows[0].position) };
  }
}
