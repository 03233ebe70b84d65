import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newAppend, newEvent } from '../../testing/new-events.js';
import { followLog } from '../log-tail.js';
import type { PostgresLog } from './open-postgres-log.js';
import { openTestLog, type TestLog } from './testing/open-test-log.js';

const patience = 30_000;
const never = 2 ** 31 - 1;
/** Those of `openTestLog`, here and there. */
const left = 3;

describe('wake-ups over PostgreSQL', () => {
  let log: TestLog;
  let here: PostgresLog;
  let there: PostgresLog;
  beforeAll(async () => {
    log = await openTestLog();
    here = await log.open();
    there = await log.open();
  }, patience);
  afterAll(() => log.close());

  it('[E13] wake followers in this and in another process, whatever the size of the event', async () => {
    for (const data of [`"${'a'.repeat(7_900)}"`, `"${'a'.repeat(8_100)}"`, `"${'é'.repeat(4_000)}"`]) {
      const request = newAppend({ events: [newEvent({ data })] });
      const waiting = await Promise.all([here, there].map(nextStream));
      await here.store.append(request);
      expect(await Promise.all(waiting.map((next) => next()))).toEqual([request.stream, request.stream]);
    }
  });

  it('come again after the connection was lost, and the loss itself wakes', async () => {
    await terminateListeners(log.url);
    const request = newAppend();
    const next = await nextStream(there);
    await here.store.append(request);
    expect(await next()).toBe(request.stream);
  });

  it('[S07] leave nobody asleep when the log is closed', async () => {
    const other = await log.open();
    const sleeping = other.wakeUp.wait(other.wakeUp.count, never, new AbortController().signal);
    await other.close();
    await sleeping;
    await other.wakeUp.close();
    // The listeners that the spec above cut off may still be on their way back.
    expect(await settled(() => listenerCount(log.url), left)).toBe(left);
  });
});

// Follows from the end of the log as it is now. Polls never: only a wake-up can bring the answer.
async function nextStream(reader: PostgresLog): Promise<() => Promise<string | undefined>> {
  const controller = new AbortController();
  const options = { wakeUp: reader.wakeUp, signal: controller.signal, pollMs: never };
  const answer = followLog(reader.store, await reader.store.logEnd(), options).next();
  return async () => {
    const { value } = await answer;
    controller.abort();
    return value?.events[0]?.stream;
  };
}

async function terminateListeners(url: string): Promise<void> {
  await onListeners(url, 'count(pg_terminate_backend(pid))');
}

/** What `look` gives once it gives `wanted`, or after 5 s. */
async function settled(look: () => Promise<number>, wanted: number): Promise<number> {
  for (let attempt = 0; attempt < 100 && (await look()) !== wanted; attempt += 1) await sleep(50);
  return look();
}

function listenerCount(url: string): Promise<number> {
  return onListeners(url, 'count(*)');
}

async function onListeners(url: string, what: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ result: string }>(
    `select ${what} as result from pg_stat_activity
     where datname = current_database() and (query ilike 'listen %' or query ilike 'notify %')`,
  );
  await client.end();
  return Number(rows[0]?.result);
}
