import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { createLogger } from '#platform';
import {
  type AgentEvent,
  createPool,
  encodeEvent,
  loadMeta,
  type NewEvent,
  openPostgresLog,
  type PostgresLog,
} from '#transcripts';
import { event, newId, testContext } from '#transcripts/testing';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { LogReaders } from '../lifecycle/log-readers.js';
import { LogTools } from '../log/log-tools.js';
import { MetaCache } from '../log/meta-cache.js';
import { migrateDatabase } from '../migrations/migrate-database.js';
import { deliverAgain } from './deliver-again.js';
import { UndeliveredOutcomes } from './undelivered-outcomes.js';

describe('the outcome of an agent whose parent cannot be told', () => {
  let database: TestDatabase;
  let log: PostgresLog;
  let pool: pg.Pool;
  let tools: LogTools;
  let cache: MetaCache;
  let readers: LogReaders;
  let undelivered: UndeliveredOutcomes;
  let session: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateDatabase(database.url, () => undefined);
    log = await openPostgresLog({ url: database.url });
    pool = createPool({ url: database.url, max: 16 });
    tools = new LogTools(log.store, newId);
    cache = new MetaCache(tools);
    undelivered = new UndeliveredOutcomes(pool);
    const logger = createLogger('spec', { level: 'silent' });
    const { wakeUp } = log;
    const onDispatch = (): void => undefined;
    readers = new LogReaders({ tools, cache, pool, wakeUp, logger, pages: tools.store, onDispatch });
    readers.start();
  }, 60_000);
  beforeEach(async () => {
    session = newId();
    await record(session, event.sessionOpened({ sessionId: session }));
  });
  afterAll(async () => {
    await readers.stop();
    await pool.end();
    await log.close();
    await database.drop();
  });

  const record = async (stream: string, ...facts: readonly AgentEvent[]): Promise<void> => {
    const { head } = await loadMeta(log.store, stream);
    const [first, ...rest] = facts.map((fact): NewEvent => encodeEvent(fact, newId()));
    if (first === undefined) throw new Error('Nothing to record.');
    const events: [NewEvent, ...NewEvent[]] = [first, ...rest];
    const done = await log.store.append({ stream, expected: head, events, context: testContext });
    if (!done.ok) throw new Error(done.reason);
  };
  const endedChildOf = async (parentId: string): Promise<string> => {
    const agentId = newId();
    await record(
      agentId,
      event.agentLaunched({ agentId, parentId, sessionId: parentId }),
      event.bootstrapRecorded(),
      event.launchPromptRecorded(),
      event.runStarted(),
      event.agentCompleted(),
    );
    return agentId;
  };
  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    while (!(await holds())) await pause(20);
  };
  const isTold = async (parentId: string, agentId: string): Promise<boolean> =>
    [...(await loadMeta(log.store, parentId)).delivered].some((key) => key.includes(agentId));
  const isNoted = async (agentId: string): Promise<boolean> => (await undelivered.of(agentId)) !== null;
  const tellDue = async (): Promise<void> => {
    await pool.query('update undelivered_outcome set next_try_at = statement_timestamp()');
    await deliverAgain(tools, undelivered, { pool, cache, onFault: () => undefined });
  };

  it('[RUN-5] is kept with its reason, holds up no other outcome, and is told once the parent is there', async () => {
    const parent = newId();
    const child = await endedChildOf(parent);
    const other = await endedChildOf(session);
    await until(() => isTold(session, other));
    await until(() => isNoted(child));
    expect(await undelivered.of(child)).toMatchObject({ activation: 1, tries: 1 });
    expect((await undelivered.of(child))?.problem).toContain('does not exist');
    await tellDue();
    expect(await undelivered.of(child)).toMatchObject({ tries: 2 });
    await record(parent, event.sessionOpened({ sessionId: parent }));
    await tellDue();
    await tellDue();
    expect(await undelivered.of(child)).toBeNull();
    const { events } = await log.store.readStream(parent, 0);
    expect(events.map(({ type }) => type)).toEqual(['SessionOpened', 'OutcomeDelivered']);
  });

  it('[RUN-5] is kept where a record of the parent cannot be read, and holds up no other outcome', async () => {
    const parent = newId();
    await record(parent, event.sessionOpened({ sessionId: parent }));
    await until(
      async () =>
        (await pool.query('select 1 from agent_roster where agent_id = $1', [parent])).rowCount === 1,
    );
    await pool.query(`update event set data = '{"torn' where stream = $1`, [parent]);
    const child = await endedChildOf(parent);
    const other = await endedChildOf(session);
    await until(() => isTold(session, other));
    await until(() => isNoted(child));
    expect(await undelivered.of(child)).toMatchObject({ activation: 1, tries: 1 });
  });

  it('a question to a parent that is not there stays open and holds up no other question', async () => {
    const ask = async (parentId: string): Promise<string> => {
      const [agentId, questionId] = [newId(), newId()];
      await record(
        agentId,
        event.agentLaunched({ agentId, parentId, sessionId: parentId, kind: 'subagent' }),
        event.bootstrapRecorded(),
        event.launchPromptRecorded(),
        event.runStarted(),
        event.questionAsked({ questionId, to: 'parent' }),
      );
      return agentId;
    };
    await record(session, event.messageAppended({ run: true }));
    const alone = await ask(newId());
    await ask(session);
    await until(async () => (await loadMeta(log.store, session)).pending.length > 1);
    expect((await loadMeta(log.store, alone)).questions.size).toBe(1);
  });

  it('is tried ever less often, but never given up', async () => {
    const child = await endedChildOf(newId());
    await until(() => isNoted(child));
    const waits: number[] = [];
    for (let tries = 1; tries <= 12; tries += 1) {
      const { rows } = await pool.query<{ seconds: number }>(
        `select extract(epoch from next_try_at - tried_at)::int as seconds from undelivered_outcome where agent_id = $1`,
        [child],
      );
      waits.push(rows[0]?.seconds ?? 0);
      await tellDue();
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300]);
  });

  it('of an agent that is not here any more is forgotten', async () => {
    const child = await endedChildOf(newId());
    await until(() => isNoted(child));
    await pool.query('delete from event where stream = $1', [child]);
    await tellDue();
    expect(await undelivered.of(child)).toBeNull();
  });
});
