import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  type AgentEvent,
  encodeEvent,
  type Finding,
  loadMeta,
  LocalWakeUp,
  readCheckpoint,
  runProjection,
  type TranscriptStore,
} from '#transcripts';
import { event, newEvent, newId, testContext } from '#transcripts/testing';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { applyToDispatch } from '../dispatch/apply-to-dispatch.js';
import { migrateDatabase } from '../migrations/migrate-database.js';
import { projectionsOver } from '../projections/projections.js';
import { examine } from './examine.js';
import { type OperationTools, withOperationTools } from './operation-tools.js';
import { rebuildProjections } from './rebuild-projections.js';

const patience = 120_000;
const ignore = (): void => undefined;

describe('an examination', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let session: string;
  let fork: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateDatabase(database.url, ignore);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  }, patience);
  beforeEach(async () => {
    await client.query(
      'truncate event, blob_chunk, agent_roster, approval_inbox, refusal, agent_usage, dispatch, checkpoint',
    );
    [session, fork] = [newId(), newId()];
    await withOperationTools(database.url, ignore, async (operation) => {
      await makeFamily(operation.tools.store);
      await readAll(operation);
    });
  }, patience);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('finds nothing in a sound database', async () => {
    expect(await examined()).toEqual([]);
  });

  it('finds an event that was altered, and one that is missing', async () => {
    await client.query(
      `update event set data = '{"changes":{"approvalMode":"yolo"}}' where stream = $1 and version = 2`,
      [session],
    );
    expect(await examined()).toContainEqual(found('chain_broken', session, 'altered at version 2'));
    await client.query('delete from event where stream = $1 and version = 4', [fork]);
    expect(await examined()).toContainEqual(found('chain_broken', fork, 'gap at version 5'));
  });

  it('finds a payload that is damaged, and one that is missing', async () => {
    await client.query(`update blob_chunk set bytes = bytes || 'x'`);
    expect((await examined()).map(({ kind, subject }) => [kind, subject])).toContainEqual([
      'payload_unreadable',
      fork,
    ]);
    await client.query('delete from blob_chunk');
    expect((await examined()).map(({ kind, subject }) => [kind, subject])).toContainEqual([
      'payload_unreadable',
      fork,
    ]);
  });

  it('finds a payload that no event refers to', async () => {
    await client.query(
      `insert into blob_chunk values (sha256('orphan'), 0, 'orphan'), (sha256('seen'), 0, 'seen')`,
    );
    const { rows: pictures } = await client.query<{ blob: string }>(
      `select encode(sha256('seen'), 'hex') as blob`,
    );
    const picture = { mediaType: 'image/png', blob: pictures[0]?.blob ?? '', sizeBytes: 4 };
    await withOperationTools(database.url, ignore, async (operation) => {
      await record(operation.tools.store, fork, event.toolCallFinished({ picture }));
      await readAll(operation);
    });
    const { rows } = await client.query<{ hash: string }>(`select encode(sha256('orphan'), 'hex') as hash`);
    expect((await examined()).map(({ kind, subject }) => [kind, subject])).toEqual([
      ['blob_orphaned', rows[0]?.hash],
    ]);
  });

  it('finds a picture that is missing, and one that is damaged, and takes neither for an orphan', async () => {
    const hashes = await withOperationTools(database.url, ignore, async (operation) => {
      const { store } = operation.tools;
      const saved = [];
      for (const name of ['lost', 'spoilt', 'whole']) {
        const { hash, sizeBytes } = await store.saveBlob(Buffer.from(`${name} ${fork}`));
        const picture = { mediaType: 'image/png', blob: hash, sizeBytes };
        // So large a result is a blob itself, in which nobody can search for what it names.
        await record(store, fork, event.toolCallFinished({ picture, content: 'x'.repeat(1_100_000) }));
        saved.push(hash);
      }
      await readAll(operation);
      return saved;
    });
    expect(await examined()).toEqual([]);
    const [lost, spoilt] = hashes;
    await client.query(`delete from blob_chunk where hash = decode($1, 'hex')`, [lost]);
    await client.query(`update blob_chunk set bytes = bytes || 'x' where hash = decode($1, 'hex')`, [spoilt]);
    expect(await examined()).toEqual([
      found('blob_missing', fork, `blob ${lost}, which version 9 names, is not there`),
      found('blob_damaged', fork, `blob ${spoilt}, which version 10 names, is not what its hash says`),
    ]);
  });

  it('[POL-6] finds an event that states a policy fact which nobody here can read', async () => {
    await withOperationTools(database.url, ignore, async (operation) => {
      await record(operation.tools.store, session, newEvent({ type: 'PolicyWidened', data: '{}' }));
      await readAll(operation);
    });
    expect((await examined()).map(({ kind, subject }) => [kind, subject])).toEqual([
      ['event_unreadable', session],
    ]);
  });

  it('finds a fork whose inherited history is not there as it was', async () => {
    await client.query('delete from event where stream = $1', [session]);
    const kinds = (await examined()).map(({ kind, subject }) => [kind, subject]);
    expect(kinds).toContainEqual(['bootstrap_broken', fork]);
  });

  it.each([
    ['agent-roster', `update agent_roster set status = 'completed', summary = '{}' where kind = 'fork'`],
    ['agent-roster', `delete from agent_roster where kind = 'fork'`],
    ['approval-inbox', `update approval_inbox set status = 'allowed'`],
    [
      'approval-inbox',
      `insert into approval_inbox select gen_random_uuid(), agent_id, tenant, tool, arguments, status,
      requested_at, expires_at from approval_inbox`,
    ],
    ['refusals', `update refusal set reason = 'not_declared'`],
    ['usage', 'update agent_usage set turns = turns + 1'],
  ])('finds that %s is not what the log says, and a rebuild mends it (%s)', async (name, tampering) => {
    await client.query(tampering);
    expect((await examined()).map(({ kind, subject }) => `${kind} ${subject}`)).toContain(
      `projection_stale ${name}`,
    );
    await withOperationTools(database.url, ignore, (operation) => rebuildProjections(operation, name));
    expect(await examined()).toEqual([]);
  });

  it('takes what a reader has not come to yet for no fault', async () => {
    await withOperationTools(database.url, ignore, ({ tools }) =>
      record(tools.store, session, event.messageAppended({ run: true }), event.sessionClosed()),
    );
    expect(await examined()).toEqual([]);
  });

  it('finds a checkpoint behind the end of the log', async () => {
    await client.query(
      `insert into checkpoint (reader, generation, xid, position) values ('lost', 9, '1', 1)`,
    );
    expect((await examined()).map(({ kind, subject }) => [kind, subject])).toEqual([
      ['checkpoint_ahead', 'lost'],
    ]);
  });

  it('[OPS-1] finds an agent that waits and that nobody would send to a worker', async () => {
    const waiting = newId();
    await withOperationTools(database.url, ignore, async (operation) => {
      await launch(operation.tools.store, waiting);
      await readAll(operation);
    });
    expect(await examined()).toEqual([]);
    await client.query('delete from dispatch where agent_id = $1', [waiting]);
    expect((await examined()).map(({ kind, subject }) => [kind, subject])).toEqual([
      ['dispatch_missing', waiting],
    ]);
  });

  it('finds a log that was restored elsewhere and not opened since', async () => {
    await client.query(`update log_generation set system_identifier = '1'`);
    expect((await examined()).map(({ kind }) => kind)).toEqual(['generation_stale']);
    await migrateDatabase(database.url, ignore);
    expect(await examined()).toEqual([]);
  });

  it('finds the transaction that holds back every reader', async () => {
    const holder = new pg.Client({ connectionString: database.url, application_name: 'forgotten' });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select pg_current_xact_id()');
      const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
      const findings = await withOperationTools(database.url, ignore, (operation) => examine(operation, 0));
      expect(findings.findings).toContainEqual(
        expect.objectContaining({ kind: 'log_held_back', subject: `backend ${rows[0]?.pid}` }),
      );
    } finally {
      await holder.end();
    }
  });

  it('[N05] finds a schema that is older or newer than the program', async () => {
    await client.query(`insert into migration (timestamp, name) values (1, 'FromTheFuture9999999999999')`);
    expect(await examined()).toMatchObject([
      { kind: 'migration_unknown', subject: 'FromTheFuture9999999999999' },
    ]);
    await client.query(`delete from migration where name like 'FromTheFuture%'`);
    const { rows } = await client.query<{ id: number }>('select max(id) as id from migration');
    await client.query(`update migration set name = 'X' || name where id = $1`, [rows[0]?.id]);
    expect((await examined()).map(({ kind }) => kind)).toEqual(['migration_pending', 'migration_unknown']);
    await client.query(`update migration set name = substr(name, 2) where id = $1`, [rows[0]?.id]);
  });

  it('refuses to rebuild what is no projection, and names those that there are', async () => {
    const rebuild = withOperationTools(database.url, ignore, (operation) =>
      rebuildProjections(operation, 'delivery'),
    );
    await expect(rebuild).rejects.toThrow(
      'There is no projection delivery; there are agent-roster, approval-inbox',
    );
  });

  const found = (kind: Finding['kind'], subject: string, detail: string): Finding => ({
    kind,
    subject,
    detail,
  });

  async function examined(): Promise<readonly Finding[]> {
    return (await withOperationTools(database.url, ignore, (operation) => examine(operation))).findings;
  }

  async function makeFamily(store: TranscriptStore): Promise<void> {
    await record(store, session, event.sessionOpened({ sessionId: session }));
    await record(store, session, event.runtimeChanged(), event.messageAppended({ run: false }));
    await launch(store, fork);
    await record(
      store,
      fork,
      event.runStarted({ runId: newId(), workerId: newId() }),
      newEvent({ type: 'FutureFact', data: JSON.stringify({ text: 'x'.repeat(1_500_000) }) }),
      event.approvalRequested({ approvalId: newId(), expiresInMs: 3_600_000 }),
      event.toolCallRefused(),
      event.turnRecorded(),
    );
  }

  async function launch(store: TranscriptStore, agentId: string): Promise<void> {
    const { head } = await loadMeta(store, session);
    await record(
      store,
      agentId,
      event.agentLaunched({ agentId, sessionId: session, parentId: session }),
      event.bootstrapRecorded({ parent: { agentId: session, version: head.version }, digest: head.hash }),
      event.launchPromptRecorded(),
    );
  }
});

async function record(
  store: TranscriptStore,
  stream: string,
  ...facts: (AgentEvent | ReturnType<typeof newEvent>)[]
): Promise<void> {
  const { head } = await loadMeta(store, stream);
  const [first = newEvent(), ...rest] = facts.map((fact) =>
    'id' in fact ? fact : encodeEvent(fact, newId()),
  );
  const result = await store.append({
    stream,
    expected: head,
    events: [first, ...rest],
    context: testContext,
  });
  if (!result.ok) throw new Error(result.reason);
}

/** Lets the readers of an orchestrator come to the end of the log, and stops them. */
async function readAll({ tools, pool, cache }: OperationTools): Promise<void> {
  const stop = new AbortController();
  const shared = { store: tools.store, pool, wakeUp: new LocalWakeUp(), signal: stop.signal, pollMs: 5 };
  const dispatch = {
    name: 'dispatch',
    apply: (...[by, events]: Parameters<ReturnType<typeof projectionsOver>[number]['apply']>) =>
      applyToDispatch(by, events, cache),
  };
  const readers = [dispatch, ...projectionsOver(cache)];
  const running = readers.map((reader) =>
    runProjection({ ...shared, name: reader.name, apply: reader.apply }),
  );
  // Not the end that readers see at this moment: a transaction of another database of the server may hold events back.
  const { rows } = await pool.query<{ last: string }>('select max(position)::text as last from event');
  const last = BigInt(rows[0]?.last ?? 0);
  for (const { name } of readers)
    while (((await readCheckpoint(pool, name))?.position ?? 0n) < last)
      await new Promise((resolve) => setTimeout(resolve, 10));
  stop.abort();
  await Promise.all(running);
}
