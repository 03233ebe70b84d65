import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type JobQueue, ModelPlaces, newId, type QueuedJob } from '#platform';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { migrateDatabase } from '../migrations/migrate-database.js';
import { Dispatcher } from './dispatcher.js';

const model = 'scripted:judge';
const limit = 2;

describe('requests of the classifier to a model with a limit', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let jobs: QueuedJob[];
  let dispatcher: Dispatcher;
  let places: ModelPlaces;
  let worker: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateDatabase(database.url, () => undefined);
    pool = new pg.Pool({ connectionString: database.url, max: 4 });
  });
  beforeEach(async () => {
    await pool.query('truncate dispatch, worker, model_request');
    jobs = [];
    worker = newId();
    await pool.query(
      `insert into worker (id, lock_key, pid, host, capacity, backend_pid, renewed_at, lease_until)
       values ($1, 1, 1, 'h', 50, 1, now(), now())`,
      [worker],
    );
    const queue = {
      enqueue: (...sent: readonly QueuedJob[]) => {
        jobs.push(...sent);
        return Promise.resolve({ ok: true });
      },
      depth: () => Promise.resolve({ waiting: 0 }),
    } as unknown as JobQueue;
    dispatcher = new Dispatcher(pool, queue, { perSession: null, perModel: new Map([[model, limit]]) });
    const onFault = (): void => undefined;
    places = new ModelPlaces(worker, { databaseUrl: database.url, applicationName: 'spec', onFault });
  });
  afterEach(() => places.close());
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const waits = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1)
      await pool.query('insert into dispatch (agent_id, session_id, model, epoch) values ($1, $2, $3, 1)', [
        newId(),
        newId(),
        model,
      ]);
  };
  const take = (signal = new AbortController().signal) =>
    places.take(model, { limit, holdMs: 60_000 }, signal);
  const asked = async (): Promise<number> =>
    Number((await pool.query<{ n: string }>('select count(*) as n from model_request')).rows[0]?.n);
  const untilAsked = async (count: number): Promise<void> => {
    while ((await asked()) !== count) await pause(20);
  };

  it('[L09] count with the agents at work: agents get the places that are left, and the next one when a request is over', async () => {
    const release = await take();
    await waits(4);
    await dispatcher.sendDue();
    expect(jobs).toHaveLength(limit - 1);
    await dispatcher.sendDue();
    expect(jobs).toHaveLength(limit - 1);
    await release();
    await dispatcher.sendDue();
    expect(jobs).toHaveLength(limit);
  });

  it('[L09] wait while agents and other requests have all places, and are let through in the order of asking', async () => {
    await waits(1);
    await dispatcher.sendDue();
    const first = await take();
    const order: string[] = [];
    const second = take().then((release) => {
      order.push('second');
      return release;
    });
    await untilAsked(2);
    const third = take().then((release) => {
      order.push('third');
      return release;
    });
    await untilAsked(3);
    // Those who wait are not overtaken by agents that come later.
    await waits(2);
    await dispatcher.sendDue();
    expect(jobs).toHaveLength(1);
    expect(order).toEqual([]);
    await first();
    await (
      await second
    )();
    await (
      await third
    )();
    expect(order).toEqual(['second', 'third']);
    expect(await asked()).toBe(0);
  });

  it('[L17] who is stopped leaves the queue', async () => {
    const held = [await take(), await take()];
    const stop = new AbortController();
    const waiting = take(stop.signal);
    const outcome = expect(waiting).rejects.toThrow('stopped');
    await untilAsked(3);
    stop.abort(new Error('stopped'));
    await outcome;
    expect(await asked()).toBe(limit);
    for (const release of held) await release();
  });

  it('of a worker that is dead, or whose time is over, count no more', async () => {
    await take();
    await take();
    await pool.query(`update worker set dead_at = now(), death_cause = 'crashed'`);
    await waits(4);
    await dispatcher.sendDue();
    expect(jobs).toHaveLength(limit);
    await pool.query(`update worker set dead_at = null, death_cause = null`);
    await pool.query(`update model_request set lapses_at = now()`);
    await pool.query('truncate dispatch');
    await waits(4);
    await dispatcher.sendDue();
    expect(jobs).toHaveLength(2 * limit);
    await pool.query('truncate dispatch');
    const release = await take();
    await release();
  });
});
