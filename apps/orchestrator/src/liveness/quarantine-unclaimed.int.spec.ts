import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { newId, WorkerNotes } from '#platform';
import { type AgentEvent, encodeEvent, loadMeta, type NewEvent } from '#transcripts';
import { event, InMemoryTranscriptStore, testContext } from '#transcripts/testing';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { applyToDispatch } from '../dispatch/apply-to-dispatch.js';
import { LogTools } from '../log/log-tools.js';
import { MetaCache } from '../log/meta-cache.js';
import { migrateDatabase } from '../migrations/migrate-database.js';
import { quarantineUnclaimed } from './quarantine-unclaimed.js';

describe('an agent that no worker could claim', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let pool: pg.Pool;
  let store: InMemoryTranscriptStore;
  let agent: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateDatabase(database.url, () => undefined);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    pool = new pg.Pool({ connectionString: database.url, max: 2 });
  });
  beforeEach(async () => {
    await client.query('truncate dispatch, worker');
    store = new InMemoryTranscriptStore();
    agent = newId();
    const session = newId();
    await record(session, event.sessionOpened({ sessionId: session }));
    await record(
      agent,
      event.agentLaunched({ agentId: agent, sessionId: session, parentId: session }),
      event.bootstrapRecorded(),
      event.launchPromptRecorded(),
    );
    await read();
  });
  afterAll(async () => {
    await pool.end();
    await client.end();
    await database.drop();
  });

  const record = async (stream: string, ...facts: readonly AgentEvent[]): Promise<void> => {
    const { head: expected } = await loadMeta(store, stream);
    const [first, ...rest] = facts.map((fact): NewEvent => encodeEvent(fact, newId()));
    if (first === undefined) throw new Error('Nothing to record.');
    const done = await store.append({
      ...{ stream, expected, context: testContext },
      events: [first, ...rest],
    });
    if (!done.ok) throw new Error(done.reason);
  };
  /** The dispatch table as the reader keeps it. */
  const read = async (): Promise<void> => {
    const { events } = await store.readLog(null);
    await applyToDispatch(client, events, new MetaCache({ store, newId }));
  };
  /** A worker takes the job of an epoch, and is then as it is said to be: alive, or dead of a cause. */
  const tried = async (cause: string | null, epoch = 1): Promise<void> => {
    const id = newId();
    await client.query(
      `insert into worker (id, lock_key, pid, host, capacity, backend_pid, renewed_at, lease_until, dead_at, death_cause)
       values ($1, 1, 1, 'h', 4, 1, now(), now(), case when $2::text is not null then now() end, $2)`,
      [id, cause],
    );
    const notes = new WorkerNotes(id, {
      databaseUrl: database.url,
      applicationName: 'spec',
      onFault: () => undefined,
    });
    for (let time = 0; time < 2; time += 1) await notes.tries({ agentId: agent, epoch });
    await notes.close();
  };
  const look = async () => {
    await quarantineUnclaimed(pool, new LogTools(store, newId));
    const { status, blocked } = await loadMeta(store, agent);
    return [status, blocked?.reason ?? null];
  };
  const times = async (count: number, work: () => Promise<void>): Promise<void> => {
    for (let time = 0; time < count; time += 1) await work();
  };

  it('[C07] is quarantined when it took five workers, each counted once, and once only', async () => {
    await times(4, () => tried('crashed'));
    expect(await look()).toEqual(['queued', null]);
    await tried('frozen');
    expect(await look()).toEqual(['blocked', 'quarantined']);
    const { head } = await loadMeta(store, agent);
    expect(await look()).toEqual(['blocked', 'quarantined']);
    expect((await loadMeta(store, agent)).head).toEqual(head);
  });

  it('[C07] is not, where workers live, were stopped or were cut off, or were lost with another epoch', async () => {
    await times(4, () => tried('crashed'));
    for (const cause of [null, 'stopped', 'cut']) await times(3, () => tried(cause));
    await times(3, () => tried('crashed', 2));
    expect(await look()).toEqual(['queued', null]);
  });

  it('[C07] begins anew with a claim, and with a revival', async () => {
    await times(4, () => tried('crashed'));
    await record(agent, event.runStarted());
    await record(agent, event.runInterrupted());
    await read();
    await times(4, () => tried('crashed', 2));
    expect(await look()).toEqual(['interrupted', null]);
    await tried('crashed', 2);
    expect(await look()).toEqual(['blocked', 'quarantined']);
    await read();
    await record(agent, event.waitEnded({ reason: 'revived' }));
    await read();
    await times(4, () => tried('crashed', 2));
    expect((await look())[0]).not.toBe('blocked');
  });
});
