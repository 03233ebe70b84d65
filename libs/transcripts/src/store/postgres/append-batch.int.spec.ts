import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { NO_STREAM } from '../../events/recorded-event.js';
import { newAppend, newEvent, newId, wholeStream } from '../../testing/new-events.js';
import { sealAppend } from '../seal-append.js';
import type { AppendRequest } from '../transcript-store.js';
import { appendBatch } from './append-batch.js';
import type { PreparedAppend } from './append-statement.js';
import { createPool } from './create-pool.js';
import { logSession } from './open-postgres-log.js';
import { holdTransaction } from './testing/held-transaction.js';
import { openTestLog, type TestLog } from './testing/open-test-log.js';

const prepared = (request: AppendRequest): PreparedAppend => ({
  append: sealAppend(request),
  blobs: new Map(),
});

describe('a batch of appends', () => {
  let log: TestLog;
  let pool: pg.Pool;
  beforeAll(async () => {
    log = await openTestLog();
    pool = createPool({ url: log.url, max: 2, sessionOptions: logSession });
  });
  afterAll(async () => {
    await pool.end();
    await log.close();
  });

  const commit = (requests: readonly AppendRequest[]) => appendBatch(pool, requests.map(prepared));
  const versionsOf = async (stream: string) =>
    (await wholeStream(log.store, stream)).map(({ version }) => version);

  /** Resolves once a session of this database waits for another one's transaction. */
  async function untilSomebodyWaits(): Promise<void> {
    for (;;) {
      const { rowCount } = await pool.query(`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      if (rowCount !== 0) return;
    }
  }

  it('[E03] is whole where it stands and refused where it does not, each append by itself', async () => {
    const first = newAppend({ events: [newEvent(), newEvent(), newEvent()] });
    const taken = newAppend();
    await commit([taken]);
    const late = { ...newAppend(), stream: taken.stream, events: [newEvent(), newEvent()] as const };
    const holed = newAppend({ expected: { version: 4, hash: 'ab'.repeat(32) } });
    const results = await commit([first, late, holed]);
    expect(results).toEqual([
      { ok: true, head: sealAppend(first).head },
      { ok: false, reason: 'conflict', version: 1 },
      { ok: false, reason: 'conflict', version: 0 },
    ]);
    expect(await versionsOf(first.stream)).toEqual([1, 2, 3]);
    expect(await versionsOf(taken.stream)).toEqual([1]);
    expect(await versionsOf(holed.stream)).toEqual([]);
  });

  it('[E03] goes in at the exact predecessor only, by its hash', async () => {
    const request = newAppend();
    await commit([request]);
    const forged = newAppend({
      stream: request.stream,
      expected: { version: 1, hash: 'cd'.repeat(32) },
      events: [newEvent(), newEvent()],
    });
    expect(await commit([forged])).toEqual([{ ok: false, reason: 'conflict', version: 1 }]);
    expect(await versionsOf(request.stream)).toEqual([1]);
  });

  it.each([['commit' as const], ['rollback' as const]])(
    '[E03] [LOG-1] meets an open transaction on one of its streams: after its %s every append has its own outcome',
    async (end) => {
      const stream = newId();
      const held = await holdTransaction(log.url);
      await held.append(newAppend({ stream }));
      const rival = newAppend({ stream, events: [newEvent(), newEvent()] });
      const other = newAppend({ events: [newEvent(), newEvent()] });
      const results = commit([rival, other]);
      await untilSomebodyWaits();
      await held[end]();
      const lost = { ok: false, reason: 'conflict', version: 1 };
      const won = { ok: true, head: sealAppend(rival).head };
      expect(await results).toEqual([
        end === 'commit' ? lost : won,
        { ok: true, head: sealAppend(other).head },
      ]);
      expect(await versionsOf(stream)).toEqual(end === 'commit' ? [1] : [1, 2]);
      expect(await versionsOf(other.stream)).toEqual([1, 2]);
    },
  );

  it('[LOG-1] sent again because its answer was lost is recognised and recorded once', async () => {
    const batch = [newAppend({ events: [newEvent(), newEvent()] }), newAppend({ expected: NO_STREAM })];
    const first = await commit(batch);
    expect(await commit([...batch, newAppend()])).toMatchObject([...first, { ok: true }]);
    for (const { stream, events } of batch)
      expect(await versionsOf(stream)).toEqual(events.map((_, i) => i + 1));
  });
});
