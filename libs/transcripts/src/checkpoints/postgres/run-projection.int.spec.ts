import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool, PoolClient } from 'pg';
import type { RecordedEvent } from '../../events/recorded-event.js';
import { createPool } from '../../store/postgres/create-pool.js';
import { openTestLog, type TestLog } from '../../store/postgres/testing/open-test-log.js';
import { LocalWakeUp } from '../../store/wake-up.js';
import { newAppend, newEvent, newId, wholeLog } from '../../testing/new-events.js';
import { applyPage } from './apply-page.js';
import { deleteCheckpoint, moveCheckpoint, readCheckpoint, saveCheckpoint } from './checkpoints.js';
import { runProjection, type ProjectionOptions } from './run-projection.js';

const patience = 60_000;

describe('a projection with a checkpoint', () => {
  let log: TestLog;
  let pool: Pool;
  let running: { stop: AbortController; ended: Promise<void> }[] = [];

  beforeAll(async () => {
    log = await openTestLog();
    pool = createPool({ url: log.url, max: 2 });
    await pool.query(
      'create table row (n bigint generated always as identity, reader text, event uuid, runner int)',
    );
    for (let count = 0; count < 30; count += 1)
      await log.store.append(newAppend({ events: [newEvent(), newEvent()] }));
  }, patience);
  afterEach(stopAll);
  afterAll(async () => {
    await pool.end();
    await log.close();
  });

  it(
    '[N01] applies each event once and in the order of the log',
    async () => {
      const name = start(1);
      await caughtUp(name);
      expect(await rows(name)).toEqual(await logIds());
    },
    patience,
  );

  it('[N01] tries a failing page again from its checkpoint, reports it, and keeps nothing of the failed try', async () => {
    const errors: unknown[] = [];
    let failuresLeft = 3;
    const name = newId();
    run(name, {
      limit: 7,
      onError: (error) => errors.push(error),
      apply: async (client, events) => {
        await insert(client, name, events, 1);
        failuresLeft -= 1;
        if (failuresLeft >= 0) throw new Error('handler failed');
      },
    });
    await caughtUp(name);
    expect(errors).toHaveLength(3);
    expect(await rows(name)).toEqual(await logIds());
  });

  it(
    '[Q01] of four runners one works, another goes on when it stops, and no event is applied twice',
    async () => {
      const name = newId();
      for (let runner = 1; runner <= 4; runner += 1) start(runner, name);
      await caughtUp(name);
      const first = running[0]!;
      const writing = Promise.all(Array.from({ length: 40 }, () => log.store.append(newAppend())));
      first.stop.abort();
      await first.ended;
      await writing;
      await caughtUp(name);
      expect(await rows(name)).toEqual(await logIds());
    },
    patience,
  );

  it('[C03] refuses a stale page: the checkpoint moved since it was read', async () => {
    const page = await log.store.readLog(null, 5);
    const stale = { reader: newId(), after: null, next: page.next!, events: page.events };
    const apply = (client: PoolClient, events: readonly RecordedEvent[]): Promise<void> =>
      insert(client, stale.reader, events, 1);
    expect(await applyPage(pool, stale, apply)).toBe(true);
    expect(await applyPage(pool, stale, apply)).toBe(false);
    expect(await rows(stale.reader)).toHaveLength(5);
  });

  it('[Q01] refuses a page while another transaction works for the same reader', async () => {
    const page = await log.store.readLog(null, 5);
    const mine = { reader: newId(), after: null, next: page.next!, events: page.events };
    const nested: boolean[] = [];
    await applyPage(
      pool,
      mine,
      async () => void nested.push(await applyPage(pool, mine, () => Promise.resolve())),
    );
    expect(nested).toEqual([false]);
  });

  it('[E01] holds no reader of the log back before it writes', async () => {
    const page = await log.store.readLog(null, 5);
    const request = newAppend();
    const mine = { reader: newId(), after: null, next: page.next!, events: page.events };
    let seen: string[] = [];
    await applyPage(pool, mine, async () => {
      const end = await log.store.logEnd();
      await log.store.append(request);
      seen = (await log.store.readLog(end)).events.map((event) => event.stream);
    });
    expect(seen).toEqual([request.stream]);
  });

  it('tells of a page once its effects can be seen, so that who is woken by it finds them', async () => {
    const name = newId();
    const sights: Promise<string[]>[] = [];
    await log.store.append(newAppend());
    run(name, {
      apply: (client, events) => insert(client, name, events, 0),
      onApplied: () => void sights.push(rows(name)),
    });
    await caughtUp(name);
    await stopAll();
    expect((await Promise.all(sights)).at(-1)).toEqual(await logIds());
    expect(await sights[0]).not.toEqual([]);
  });

  it('lets events gather when it may: what comes one after the other is one page', async () => {
    const name = newId();
    const sizes: number[] = [];
    await log.store.append(newAppend());
    run(name, {
      gatherMs: 2_000,
      apply: async (client, events) => {
        await insert(client, name, events, 0);
        sizes.push(events.length);
      },
    });
    await caughtUp(name);
    const before = sizes.length;
    for (let count = 0; count < 20; count += 1) {
      await log.store.append(newAppend());
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await caughtUp(name);
    expect(await rows(name)).toEqual(await logIds());
    expect(sizes.length - before).toBeLessThan(5);
  });

  it('[N01] passes what does not concern it without a call, and its checkpoint follows to the end', async () => {
    const name = newId();
    const wanted = newEvent();
    run(name, { apply: insertFor(name, 1), concerns: ({ id }) => id === wanted.id });
    await caughtUp(name);
    expect(await rows(name)).toEqual([]);
    await log.store.append(newAppend({ events: [newEvent(), wanted, newEvent()] }));
    await log.store.append(newAppend());
    await caughtUp(name);
    expect(await rows(name)).toEqual([wanted.id]);
  });

  it('[Q01] passed events hold no place: another runner takes over behind them and applies nothing twice', async () => {
    const name = newId();
    const ids = new Set<string>();
    const concerns = ({ id }: RecordedEvent): boolean => ids.has(id);
    for (let runner = 1; runner <= 3; runner += 1) run(name, { apply: insertFor(name, runner), concerns });
    for (let count = 0; count < 30; count += 1) {
      const wanted = newEvent();
      if (count % 5 === 0) ids.add(wanted.id);
      await log.store.append(newAppend({ events: [wanted, newEvent()] }));
      if (count === 15) {
        running[0]!.stop.abort();
        await running[0]!.ended;
      }
    }
    await caughtUp(name);
    expect(await rows(name)).toEqual([...ids]);
  });

  it('saves, moves and forgets checkpoints, digit for digit', async () => {
    const place = { generation: 3, xid: 9_007_199_254_740_993n, position: 9_007_199_254_740_995n };
    const [from, to] = [newId(), newId()];
    await saveCheckpoint(pool, from, place);
    await saveCheckpoint(pool, to, { ...place, generation: 1 });
    await moveCheckpoint(pool, from, to);
    expect([await readCheckpoint(pool, from), await readCheckpoint(pool, to)]).toEqual([null, place]);
    await deleteCheckpoint(pool, to);
    expect(await readCheckpoint(pool, to)).toBeNull();
  });

  const insertFor =
    (name: string, runner: number): ProjectionOptions['apply'] =>
    (client, events) =>
      insert(client, name, events, runner);

  function start(runner: number, name = newId()): string {
    run(name, { limit: 7, apply: (client, events) => insert(client, name, events, runner) });
    return name;
  }

  function run(
    name: string,
    options: Pick<ProjectionOptions, 'apply' | 'concerns' | 'gatherMs' | 'onApplied' | 'onError' | 'limit'>,
  ): void {
    const stop = new AbortController();
    const shared = { name, store: log.store, pool, wakeUp: new LocalWakeUp(), signal: stop.signal };
    running.push({ stop, ended: runProjection({ ...shared, pollMs: 5, standbyMs: 20, ...options }) });
  }

  async function stopAll(): Promise<void> {
    for (const { stop } of running) stop.abort();
    await Promise.all(running.map(({ ended }) => ended));
    running = [];
  }

  /** Nothing lies behind the checkpoint, held back or not. */
  async function caughtUp(name: string): Promise<void> {
    for (;;) {
      const page = await log.store.readLog(await readCheckpoint(pool, name), 1);
      if (page.events.length === 0 && !page.held) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async function rows(name: string): Promise<string[]> {
    const { rows: found } = await pool.query<{ event: string }>(
      'select event from row where reader = $1 order by n',
      [name],
    );
    return found.map((row) => row.event);
  }

  async function logIds(): Promise<string[]> {
    return (await wholeLog(log.store)).map((event) => event.id);
  }
});

async function insert(
  client: PoolClient,
  name: string,
  events: readonly RecordedEvent[],
  runner: number,
): Promise<void> {
  for (const event of events)
    await client.query('insert into row (reader, event, runner) values ($1, $2, $3)', [
      name,
      event.id,
      runner,
    ]);
}
