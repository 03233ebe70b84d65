import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type AgentEvent, encodeEvent, loadMeta, type NewEvent, type RecordedEvent } from '#transcripts';
import { event, InMemoryTranscriptStore, newId, testContext } from '#transcripts/testing';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { migrateDatabase } from '../migrations/migrate-database.js';
import { cancelGrandchildren } from './cancel-grandchildren.js';

describe('a cancelled agent', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let store: InMemoryTranscriptStore;
  const session = newId();

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateDatabase(database.url, () => undefined);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  beforeEach(() => {
    store = new InMemoryTranscriptStore();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const record = async (stream: string, ...events: readonly AgentEvent[]): Promise<void> => {
    const { head } = await loadMeta(store, stream);
    const [first, ...rest] = events.map((fact): NewEvent => encodeEvent(fact, newId()));
    if (first !== undefined)
      await store.append({ stream, expected: head, events: [first, ...rest], context: testContext });
  };
  const launch = async (parentId: string): Promise<string> => {
    const agentId = newId();
    const facts = event.agentLaunched({ agentId, parentId, sessionId: session, kind: 'subagent' });
    await record(agentId, facts);
    return agentId;
  };
  const cancel = (stream: string): Promise<void> => record(stream, event.agentCancelled());
  const ends = async (...agents: readonly string[]) =>
    Promise.all(
      agents.map(async (agent) => {
        const { status, outcome } = await loadMeta(store, agent);
        return [status, outcome?.reason ?? null];
      }),
    );

  /** Reads the log to its end as the reader does, in pages of a size. */
  async function read(pageSize: number): Promise<void> {
    let place: RecordedEvent['place'] | null = null;
    for (;;) {
      const page: Awaited<ReturnType<typeof store.readLog>> = await store.readLog(place, pageSize);
      if (page.next === null || page.events.length === 0) return;
      await cancelGrandchildren(client, page.events, { store, newId });
      place = page.next;
    }
  }

  it.each([1, 2, 100])(
    '[L17] takes everything below it along, level by level, and nobody else (pages of %i)',
    async (pageSize) => {
      const [lead, other] = [await launch(session), await launch(session)];
      const [child, done, bystander] = [await launch(lead), await launch(lead), await launch(other)];
      const below = await launch(child);
      await record(done, event.runStarted(), event.agentCompleted());
      await cancel(lead);
      await read(pageSize);
      expect(await ends(child, below, done, other, bystander)).toEqual([
        ['cancelled', 'parent_cancelled'],
        ['cancelled', 'parent_cancelled'],
        ['completed', 'answered'],
        ['queued', null],
        ['queued', null],
      ]);
    },
  );

  it.each([1, 100])(
    '[L17] takes along what it launched just before its cancel and was recorded behind it (pages of %i)',
    async (pageSize) => {
      const lead = await launch(session);
      await cancel(lead);
      const late = await launch(lead);
      await read(pageSize);
      expect(await ends(late)).toEqual([['cancelled', 'parent_cancelled']]);
    },
  );

  it('an agent that was resumed since keeps what it launches now', async () => {
    const lead = await launch(session);
    await cancel(lead);
    await record(lead, event.agentResumed());
    const fresh = await launch(lead);
    await read(100);
    expect(await ends(fresh)).toEqual([['queued', null]]);
  });

  it('reading a page again changes nothing', async () => {
    const lead = await launch(session);
    const child = await launch(lead);
    await cancel(lead);
    await read(100);
    const { head } = await loadMeta(store, child);
    await read(100);
    expect((await loadMeta(store, child)).head).toEqual(head);
  });
});
