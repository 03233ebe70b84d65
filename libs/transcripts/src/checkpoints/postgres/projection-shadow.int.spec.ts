import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Pool } from 'pg';
import { createPool } from '../../store/postgres/create-pool.js';
import { openTestLog, type TestLog } from '../../store/postgres/testing/open-test-log.js';
import { LocalWakeUp } from '../../store/wake-up.js';
import { newAppend, newEvent, wholeLog } from '../../testing/new-events.js';
import type { ApplyEvents } from './apply-page.js';
import { readCheckpoint } from './checkpoints.js';
import { type Projection, ProjectionShadow, type ShadowTools } from './projection-shadow.js';
import { runProjection } from './run-projection.js';

const patience = 60_000;

/** Counts the events of each stream: applied twice or not at all, an event shows. */
const tally: Projection = {
  name: 'event-tally',
  tables: ['event_tally'],
  apply: async (client, events) => {
    for (const { stream } of events)
      await client.query(
        'insert into event_tally values ($1, 1) on conflict (stream) do update set n = event_tally.n + 1',
        [stream],
      );
  },
};

jest.setTimeout(patience);

describe('a shadow of a projection', () => {
  let log: TestLog;
  let pool: Pool;
  let tools: ShadowTools;
  let stop: AbortController;
  let running: Promise<unknown>;
  let fired: number;

  beforeAll(async () => {
    log = await openTestLog();
    pool = createPool({ url: log.url, max: 6 });
    tools = { store: log.store, pool };
    await pool.query('create table event_tally (stream uuid primary key, n integer not null check (n > 0))');
    await pool.query('create index event_tally_busy on event_tally (n) where n > 1');
    for (let count = 0; count < 20; count += 1) await append();
  }, patience);
  beforeEach(() => {
    stop = new AbortController();
    fired = 0;
    // A reader with effects of its own beside the projection.
    const apply: ApplyEvents = (_client, events) => {
      fired += events.length;
      return Promise.resolve();
    };
    const shared = { store: log.store, pool, wakeUp: new LocalWakeUp(), signal: stop.signal };
    const paced = { ...shared, pollMs: 5, standbyMs: 10, limit: 9 };
    running = Promise.all([
      runProjection({ ...paced, ...tally }),
      runProjection({ ...paced, name: 'effects', apply }),
    ]);
  });
  afterEach(async () => {
    stop.abort();
    await running;
  }, patience);
  afterAll(async () => {
    await pool.end();
    await log.close();
  });

  it(
    '[N01] takes the place of the tables in service while their reader runs and events come: each is counted once',
    async () => {
      await caughtUp('effects');
      const before = fired;
      await pool.query('update event_tally set n = n + 100');
      const rebuilt = new AbortController();
      const writing = (async () => {
        let appended = 0;
        for (; !rebuilt.signal.aborted || appended < 20; appended += 1) {
          await append();
          // Slower than the readers, which would otherwise never come to an end.
          await pause(5);
        }
        return appended;
      })();
      for (let round = 0; round < 3; round += 1)
        await ProjectionShadow.with(tally, tools, async (shadow) => {
          await shadow.catchUp();
          await shadow.replaceLive();
        });
      rebuilt.abort();
      const appended = await writing;
      await caughtUp(tally.name);
      await caughtUp('effects');
      expect(await tallies()).toEqual(await tallyOfLog());
      expect(fired - before).toBe(appended * 2);
    },
    patience,
  );

  it('has the keys, checks and indexes of the tables that it replaces, under the same names', async () => {
    const before = await shape();
    await ProjectionShadow.with(tally, tools, (shadow) => shadow.replaceLive());
    expect(before).toHaveLength(4);
    expect(await shape()).toEqual(before);
  });

  it('names the rows that differ, and none where the two are the same', async () => {
    await caughtUp(tally.name);
    stop.abort();
    await running;
    const [first] = await tallies();
    const differing = await ProjectionShadow.with(tally, tools, async (shadow) => {
      const none = await shadow.differences('reader');
      await pool.query('update event_tally set n = 77 where stream = $1', [first?.stream]);
      return [none, await shadow.differences('reader')];
    });
    expect(differing).toEqual([
      [],
      [`event_tally: missing (${first?.stream},2)`, `event_tally: extra (${first?.stream},77)`],
    ]);
    await pool.query('update event_tally set n = 2 where stream = $1', [first?.stream]);
  });

  it('is built by one process at a time, and leaves nothing behind', async () => {
    const second = ProjectionShadow.with(tally, tools, () =>
      ProjectionShadow.with(tally, tools, () => Promise.resolve()),
    );
    await expect(second).rejects.toMatchObject({ code: 'SHADOW_HELD' });
    const { rows } = await pool.query(`select 1 from pg_namespace where nspname like 'offshoot_shadow%'`);
    expect(rows).toEqual([]);
    expect(await readCheckpoint(pool, `${tally.name}/shadow`)).toBeNull();
  });

  it('begins anew where a killed process left half of one', async () => {
    await pool.query('create schema offshoot_shadow_event_tally');
    await pool.query('create table offshoot_shadow_event_tally.event_tally (half integer)');
    await caughtUp(tally.name);
    await ProjectionShadow.with(tally, tools, (shadow) => shadow.replaceLive());
    await caughtUp(tally.name);
    expect(await tallies()).toEqual(await tallyOfLog());
  });

  async function append(): Promise<void> {
    await log.store.append(newAppend({ events: [newEvent(), newEvent()] }));
  }

  /** Nothing lies behind the checkpoint, held back or not. */
  async function caughtUp(name: string): Promise<void> {
    for (;;) {
      const page = await log.store.readLog(await readCheckpoint(pool, name), 1);
      if (page.events.length === 0 && !page.held) return;
      await pause(10);
    }
  }

  async function tallies(): Promise<readonly { stream: string; n: number }[]> {
    const { rows } = await pool.query<{ stream: string; n: number }>(
      'select stream, n from event_tally order by stream',
    );
    return rows;
  }

  async function tallyOfLog(): Promise<unknown> {
    const counts = new Map<string, number>();
    for (const { stream } of await wholeLog(log.store)) counts.set(stream, (counts.get(stream) ?? 0) + 1);
    return [...counts].map(([stream, n]) => ({ stream, n })).sort((a, b) => (a.stream < b.stream ? -1 : 1));
  }

  async function shape(): Promise<readonly unknown[]> {
    const { rows } = await pool.query<{
      def: string;
    }>(`select indexdef as def from pg_indexes where tablename = 'event_tally'
      and schemaname = 'public'
      union all select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where conrelid = 'event_tally'::regclass and contype <> 'n' order by 1`);
    return rows;
  }
});
