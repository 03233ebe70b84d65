import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { LogPlace } from '../../events/recorded-event.js';
import { newAppend, newEvent } from '../../testing/new-events.js';
import { compareLogPlaces } from '../log-place.js';
import { followLog } from '../log-tail.js';
import { LocalWakeUp } from '../wake-up.js';
import { logSession } from './open-postgres-log.js';
import { pageText, smallPageText } from './read-log.js';
import { holdTransaction } from './testing/held-transaction.js';
import { openTestLog, type TestLog } from './testing/open-test-log.js';

const patience = 30_000;

describe('the feed of the log in PostgreSQL', () => {
  let log: TestLog;
  beforeAll(async () => {
    log = await openTestLog();
  }, patience);
  afterAll(() => log.close());

  it('[LOG-2] [E01] delivers nothing past an open transaction, says so, and then delivers both in one order', async () => {
    const start = await log.store.logEnd();
    const early = newAppend();
    const late = newAppend();
    const held = await holdTransaction(log.url);
    await held.append(early);
    await log.store.append(late);
    expect(await log.store.readLog(start)).toEqual({
      events: [],
      next: start,
      more: true,
      held: true,
      drops: 0,
    });
    expect(await log.store.logEnd()).toEqual(start);
    await held.commit();
    expect(await streamsBehind(log, start)).toEqual([early.stream, late.stream]);
  });

  it('[E01] delivers by transaction id where positions say otherwise', async () => {
    const start = await log.store.logEnd();
    const held = await holdTransaction(log.url);
    await held.takeXid();
    const between = newAppend();
    await log.store.append(between);
    const last = newAppend();
    await held.append(last);
    await held.commit();
    expect(await streamsBehind(log, start)).toEqual([last.stream, between.stream]);
  });

  it('[E01] goes on after the part that is safe, and misses nothing behind it', async () => {
    const start = await log.store.logEnd();
    const first = newAppend();
    await log.store.append(first);
    const held = await holdTransaction(log.url);
    const second = newAppend();
    await held.append(second);
    const third = newAppend();
    await log.store.append(third);
    const page = await log.store.readLog(start);
    expect(page.events.map((event) => event.stream)).toEqual([first.stream]);
    expect(page.held).toBe(true);
    await held.commit();
    expect(await streamsBehind(log, page.next)).toEqual([second.stream, third.stream]);
  });

  it('[E01] lets a rolled back transaction hold nobody back', async () => {
    const start = await log.store.logEnd();
    const held = await holdTransaction(log.url);
    await held.append(newAppend());
    const other = newAppend();
    await log.store.append(other);
    await held.rollback();
    expect(await streamsBehind(log, start)).toEqual([other.stream]);
  });

  it('[E01] a follower gets an event that was held back without being woken for it', async () => {
    const controller = new AbortController();
    const start = await log.store.logEnd();
    const held = await holdTransaction(log.url);
    await held.append(newAppend());
    const other = newAppend();
    await log.store.append(other);
    const options = { wakeUp: new LocalWakeUp(), signal: controller.signal, pollMs: 2 ** 31 - 1 };
    const following = followLog(log.store, start, options);
    const waiting = following.next();
    await held.rollback();
    const page = (await waiting).value;
    controller.abort();
    expect(page?.events.map((event) => event.stream)).toEqual([other.stream]);
  });

  it('[E22] pages through 300 events of one statement, each once', async () => {
    const start = await log.store.logEnd();
    const [first, ...rest] = Array.from({ length: 300 }, () => newEvent());
    await log.store.append(newAppend({ events: [first!, ...rest] }));
    const versions: number[] = [];
    for (
      let page = await log.store.readLog(start, 100);
      page.events.length > 0;
      page = await log.store.readLog(page.next, 100)
    ) {
      versions.push(...page.events.map((event) => event.version));
    }
    expect(versions).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
  });

  it('[E09] keeps positions exact past 2^53', async () => {
    const start = await log.store.logEnd();
    await withClient(log.url, (client) =>
      client.query(`select setval('event_position_seq', 9007199254740990)`),
    );
    for (let index = 0; index < 10; index += 1) await log.store.append(newAppend());
    const places: LogPlace[] = [];
    for (
      let page = await log.store.readLog(start, 3);
      page.events.length > 0;
      page = await log.store.readLog(page.next, 3)
    ) {
      places.push(...page.events.map((event) => event.place));
    }
    expect(places.map((place) => place.position)).toEqual(
      Array.from({ length: 10 }, (_, index) => 9007199254740991n + BigInt(index)),
    );
    expect(
      places.every((place, index) => index === 0 || compareLogPlaces(places[index - 1]!, place) < 0),
    ).toBe(true);
  });

  async function planOf(text: string, limit: number): Promise<string> {
    const client = new pg.Client({ connectionString: log.url, options: logSession });
    await client.connect();
    const values = [1, '5', '1', limit, 1_000_000];
    const { rows } = await client.query<Record<string, string>>(`explain ${text}`, values);
    await client.end();
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  it('reads a page by the index of the log order alone, sorting and scanning nothing', async () => {
    const plan = await planOf(pageText, 100);
    expect(plan).toContain('Index Scan using event_log_order');
    expect(plan).not.toMatch(/Sort|Seq Scan|Bitmap/);
  });

  it('reads the end of the log in one statement, by indexes alone, and sorts its few events only', async () => {
    const plan = await planOf(smallPageText, 32);
    expect(plan).toContain('Index Scan using event_log_order');
    expect(plan).not.toMatch(/Seq Scan on event|Bitmap/);
  });
});

async function streamsBehind(log: TestLog, after: LogPlace | null): Promise<string[]> {
  const { events } = await log.store.readLog(after);
  return events.map((event) => event.stream);
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
