import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { saveCheckpoint } from '../../checkpoints/postgres/checkpoints.js';
import { newAppend } from '../../testing/new-events.js';
import { readFeedLag, type FeedLag } from './read-feed-lag.js';
import { openTestLog, type TestLog } from './testing/open-test-log.js';

const patience = 60_000;

describe('the lag of the feed', () => {
  let log: TestLog;
  let client: pg.Client;
  beforeAll(async () => {
    log = await openTestLog();
    client = new pg.Client({ connectionString: log.url });
    await client.connect();
  }, patience);
  afterAll(async () => {
    await client.end();
    await log.close();
  });

  /** Other specs of the run may hold transactions open for a moment, on the same server. */
  async function untilLag(holds: (lag: FeedLag) => boolean): Promise<FeedLag> {
    for (;;) {
      const lag = await readFeedLag(client);
      if (holds(lag)) return lag;
      await pause(10);
    }
  }

  it(
    '[LOG-2] names the backend that holds the readers back, in whatever database it is, and for how long',
    async () => {
      await untilLag(({ heldForMs }) => heldForMs === 0);
      const elsewhere = new URL(log.url);
      elsewhere.pathname = '/postgres';
      const holder = new pg.Client({
        connectionString: elsewhere.href,
        application_name: 'a forgotten session',
      });
      await holder.connect();
      await holder.query('begin');
      const { rows } = await holder.query<{ pid: number }>(
        'select pg_backend_pid() as pid, pg_current_xact_id()',
      );
      await log.store.append(newAppend());
      const lag = await untilLag(
        (found) =>
          found.holder?.pid === rows[0]?.pid && found.heldForMs >= 50 && (found.holder?.openForMs ?? 0) >= 50,
      );
      expect(lag.holder).toMatchObject({
        application: 'a forgotten session',
        database: 'postgres',
        state: 'idle in transaction',
      });
      await holder.end();
      await untilLag(({ heldForMs }) => heldForMs === 0);
    },
    patience,
  );

  it(
    'tells how far each reader is behind, and that one at the end is not',
    async () => {
      const [first] = (await log.store.readLog(null, 1)).events;
      await log.store.append(newAppend());
      await untilLag(({ heldForMs }) => heldForMs === 0);
      const end = await log.store.logEnd();
      await saveCheckpoint(client, 'at-the-end', end!);
      await saveCheckpoint(client, 'at-the-start', first!.place);
      const { readers } = await untilLag((lag) => lag.readers.some(({ behindMs }) => behindMs > 0));
      expect(readers.map(({ name, behindMs }) => [name, behindMs > 0])).toEqual([
        ['at-the-end', false],
        ['at-the-start', true],
      ]);
    },
    patience,
  );
});
