import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { JobQueue, QueuedJob } from '#platform';
import { newId } from '#transcripts/testing';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { migrateDatabase } from '../migrations/migrate-database.js';
import { type ConcurrencyLimits, Dispatcher } from './dispatcher.js';
import { takeDue } from './take-due.js';

/** What was put on the queue, in order. */
class SeenQueue implements JobQueue {
  readonly name = 'agents';
  readonly jobs: QueuedJob[] = [];
  waiting = 0;

  enqueue(...jobs: readonly QueuedJob[]) {
    this.jobs.push(...jobs);
    return Promise.resolve({ ok: true } as const);
  }
  depth() {
    return Promise.resolve({ waiting: this.waiting, active: 0, delayed: 0 });
  }
  close() {
    return Promise.resolve();
  }
}

const unlimited: ConcurrencyLimits = { perSession: null, perModel: new Map() };

describe('the dispatcher', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let queue: SeenQueue;

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateDatabase(database.url, () => undefined);
    pool = new pg.Pool({ connectionString: database.url, max: 8 });
  });
  beforeEach(async () => {
    queue = new SeenQueue();
    await pool.query('truncate dispatch, worker');
    await worker(8);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const worker = (capacity: number) =>
    pool.query(
      `insert into worker (id, lock_key, pid, host, capacity, backend_pid, renewed_at, lease_until)
       values ($1, 1, 1, 'h', $2, 1, clock_timestamp(), clock_timestamp() + interval '1 hour')`,
      [newId(), capacity],
    );
  const waits = async (
    sessionId: string,
    count: number,
    model = 'scripted:a',
  ): Promise<readonly string[]> => {
    const ids = Array.from({ length: count }, () => newId());
    await waiting(sessionId, ids, model);
    return ids;
  };
  const waiting = (sessionId: string, ids: readonly string[], model = 'scripted:a') =>
    pool.query(
      `insert into dispatch (agent_id, session_id, model, epoch) select unnest($1::uuid[]), $2, $3, 1`,
      [ids, sessionId, model],
    );
  const claim = (...ids: readonly string[]) =>
    pool.query(
      'update dispatch set is_running = true, enqueued_at = null, number = 0 where agent_id = any($1::uuid[])',
      [ids],
    );
  const end = (...ids: readonly string[]) =>
    pool.query('delete from dispatch where agent_id = any($1::uuid[])', [ids]);
  const age = () =>
    pool.query(
      `update dispatch set enqueued_at = enqueued_at - interval '1 minute' where enqueued_at is not null`,
    );
  const agentOf = ({ payload }: QueuedJob): string => String(payload['agentId']);
  const send = async (limits = unlimited): Promise<readonly string[]> => {
    const before = queue.jobs.length;
    await new Dispatcher(pool, queue, limits).sendDue();
    return queue.jobs.slice(before).map(agentOf);
  };

  it('sends no more than the workers could take at once, and the next ones as these are claimed', async () => {
    const ids = await waits(newId(), 20);
    expect(await send()).toEqual(ids.slice(0, 8));
    expect(await send()).toEqual([]);
    await claim(...ids.slice(0, 3));
    expect(await send()).toEqual(ids.slice(8, 11));
  });

  it('sends some when no worker is known yet', async () => {
    await pool.query('truncate worker');
    await waits(newId(), 40);
    expect(await send()).toHaveLength(16);
  });

  it('a session with 500 forks does not hold up one with a single fork', async () => {
    const many = await waits(newId(), 500);
    const first = await send();
    await claim(...first);
    expect(await send()).toEqual(many.slice(8, 16));
    const [single] = await waits(newId(), 1);
    await claim(many[8] ?? '');
    // The one place that came free goes to the session that has nothing at work.
    expect(await send()).toEqual([single]);
  });

  it('sessions that all wait are served in turn, whoever came first', async () => {
    const [a, b, c] = [newId(), newId(), newId()];
    const [ofA, ofB, ofC] = [await waits(a, 6), await waits(b, 6), await waits(c, 2)];
    expect(await send()).toEqual([ofA[0], ofB[0], ofC[0], ofA[1], ofB[1], ofC[1], ofA[2], ofB[2]]);
  });

  it('a session has at most its limit at work and sent, and others take the places', async () => {
    const limits = { perSession: 3, perModel: new Map() };
    const [ofA, ofB] = [await waits(newId(), 9), await waits(newId(), 2)];
    expect(await send(limits)).toEqual([ofA[0], ofB[0], ofA[1], ofB[1], ofA[2]]);
    expect(await send(limits)).toEqual([]);
    await claim(ofA[0] ?? '', ofA[1] ?? '');
    expect(await send(limits)).toEqual([]);
    await end(ofA[0] ?? '');
    expect(await send(limits)).toEqual([ofA[3]]);
  });

  it('a model has at most its limit over all sessions, and holds up no agent of another model', async () => {
    const limits = { perSession: null, perModel: new Map([['scripted:slow', 2]]) };
    const [a, b] = [newId(), newId()];
    const [slowA, slowB] = [await waits(a, 5, 'scripted:slow'), await waits(b, 5, 'scripted:slow')];
    const fast = await waits(a, 1, 'scripted:fast');
    expect([...(await send(limits))].sort()).toEqual([slowA[0], slowB[0], fast[0]].sort());
    await claim(slowA[0] ?? '');
    expect(await send(limits)).toEqual([]);
    await end(slowA[0] ?? '');
    expect(await send(limits)).toEqual([slowA[1]]);
  });

  it('several orchestrators at once send each agent once and keep to the room and to the limits', async () => {
    await waits(newId(), 50);
    const limits = { perSession: 5, perModel: new Map() };
    await Promise.all(Array.from({ length: 8 }, () => new Dispatcher(pool, queue, limits).sendDue()));
    expect(queue.jobs).toHaveLength(5);
    expect(new Set(queue.jobs.map(agentOf)).size).toBe(5);
  });

  it('while one orchestrator takes, another one takes nothing: it could not know yet what counts against the limits', async () => {
    const [session, earlier] = [newId(), newId()];
    await waits(session, 50);
    const limits = { perSession: 5, perModel: new Map() };
    const taking = await pool.connect();
    try {
      await taking.query('begin');
      expect((await taking.query(takeDue, [3, limits.perSession, '{}'])).rows).toHaveLength(5);
      // One that was launched before them waits again: it is the first that another look finds.
      await waiting(session, [earlier]);
      expect(await send(limits)).toEqual([]);
    } finally {
      await taking.query('commit');
      taking.release();
    }
    expect(await send(limits)).toEqual([]);
  });

  it('[OPS-1] what nobody claimed is sent again: under the next number, or under the same where a backlog may hold it', async () => {
    await waits(newId(), 1);
    await send();
    await age();
    await send();
    queue.waiting = 1;
    await age();
    await send();
    expect(queue.jobs.map(({ id }) => id.replace(/^.*-(\d+-\d+)$/, '$1'))).toEqual(['1-0', '1-1', '1-1']);
  });

  it('[OPS-1] what nobody claims however often it is sent is sent ever less often, but never given up', async () => {
    const [id] = await waits(newId(), 1);
    await send();
    const isSentAfter = async (seconds: number, number: number): Promise<boolean> => {
      await pool.query(
        'update dispatch set number = $1, enqueued_at = clock_timestamp() - make_interval(secs => $2)',
        [number, seconds],
      );
      return (await send()).includes(id ?? '');
    };
    const cases = [0, 2, 3, 5, 100].flatMap((number) =>
      [4, 7, 25, 61].map((seconds) => [seconds, number] as const),
    );
    const sent = [];
    for (const [seconds, number] of cases)
      if (await isSentAfter(seconds, number)) sent.push(`${number}: ${seconds}`);
    const often = [0, 2].flatMap((number) => [4, 7, 25, 61].map((seconds) => `${number}: ${seconds}`));
    expect(sent).toEqual([...often, '3: 7', '3: 25', '3: 61', '5: 25', '5: 61', '100: 61']);
  });

  it('what is sent again takes no place of what was never sent, and adds none to the queue', async () => {
    await waits(newId(), 30);
    const first = await send();
    await age();
    expect([...(await send())].sort()).toEqual([...first].sort());
  });
});
