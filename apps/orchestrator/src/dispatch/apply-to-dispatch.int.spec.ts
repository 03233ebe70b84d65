import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type AgentEvent, encodeEvent, loadMeta, type LogPlace } from '#transcripts';
import { event, InMemoryTranscriptStore, newId, specRuntime, testContext } from '#transcripts/testing';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { MetaCache } from '../log/meta-cache.js';
import { migrateDatabase } from '../migrations/migrate-database.js';
import { applyToDispatch } from './apply-to-dispatch.js';

describe('the model that an agent counts for', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let store: InMemoryTranscriptStore;
  let cache: MetaCache;
  let place: LogPlace | null;
  let session: string;
  let fork: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateDatabase(database.url, () => undefined);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  beforeEach(async () => {
    await client.query('truncate dispatch');
    store = new InMemoryTranscriptStore();
    cache = freshCache();
    [session, fork, place] = [newId(), newId(), null];
    await record(session, event.sessionOpened({ sessionId: session }));
    await record(
      fork,
      event.agentLaunched({ agentId: fork, sessionId: session, model: specRuntime.model }),
      event.bootstrapRecorded(),
      event.launchPromptRecorded(),
    );
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const freshCache = () => new MetaCache({ store, newId });
  const record = async (stream: string, ...facts: readonly AgentEvent[]): Promise<void> => {
    const { head } = await loadMeta(store, stream);
    const [first, ...rest] = facts.map((fact) => encodeEvent(fact, newId()));
    if (first === undefined) throw new Error('Nothing to record.');
    const events = [first, ...rest] as const;
    const done = await store.append({ stream, expected: head, events: [...events], context: testContext });
    if (!done.ok) throw new Error(done.reason);
  };
  /** The table once the reader has read all that was recorded. */
  const rows = async () => {
    const page = await store.readLog(place);
    place = page.next;
    await applyToDispatch(client, page.events, cache);
    const { rows: found } = await client.query<{ model: string; is_running: boolean }>(
      'select model, is_running from dispatch order by agent_id',
    );
    return found.map(({ model, is_running }) => [model, is_running]);
  };
  const change = (model: string) => record(session, event.runtimeChanged({ changes: { model } }));
  const claim = (model: string) => record(fork, event.runStarted({ model }));

  it('while it waits is that of its session by then, whatever it was launched with', async () => {
    expect(await rows()).toEqual([['scripted:spec', false]]);
    await change('scripted:new');
    expect(await rows()).toEqual([['scripted:new', false]]);
    await change('scripted:newer');
    expect(await rows()).toEqual([['scripted:newer', false]]);
  });

  it('is the same when launch and change are read in one page, and by a reader that knows nothing yet', async () => {
    await change('scripted:new');
    expect(await rows()).toEqual([['scripted:new', false]]);
    await client.query('truncate dispatch');
    await claim('scripted:new');
    await record(fork, event.runInterrupted());
    cache = freshCache();
    expect(await rows()).toEqual([['scripted:new', false]]);
  });

  it('while it runs is the one of its claim, and afterwards the one of its session again', async () => {
    await claim('scripted:spec');
    await change('scripted:new');
    expect(await rows()).toEqual([['scripted:spec', true]]);
    await record(fork, event.runInterrupted());
    expect(await rows()).toEqual([['scripted:new', false]]);
    await record(fork, event.runStarted({ epoch: 2, model: 'scripted:new' }));
    expect(await rows()).toEqual([['scripted:new', true]]);
  });

  it('is its own where its launch named one, whatever becomes of its session', async () => {
    const own = newId();
    const launched = { agentId: own, sessionId: session, model: 'scripted:own', modelIsOwn: true };
    await record(own, event.agentLaunched(launched), event.bootstrapRecorded(), event.launchPromptRecorded());
    await change('scripted:new');
    expect(await rows()).toContainEqual(['scripted:own', false]);
    await change('scripted:newer');
    expect(await rows()).toEqual(
      expect.arrayContaining([
        ['scripted:newer', false],
        ['scripted:own', false],
      ]),
    );
  });

  it('of another session does not change', async () => {
    const other = newId();
    await record(other, event.sessionOpened({ sessionId: other }));
    await record(other, event.runtimeChanged({ changes: { model: 'scripted:other' } }));
    expect(await rows()).toEqual([['scripted:spec', false]]);
  });
});
