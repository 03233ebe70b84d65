import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newAppend, newEvent, newId, wholeStream } from '../../testing/new-events.js';
import { followLog } from '../log-tail.js';
import type { LogPage } from '../transcript-store.js';
import { LocalWakeUp } from '../wake-up.js';
import { holdTransaction } from './testing/held-transaction.js';
import { openTestLog, type TestLog } from './testing/open-test-log.js';

const patience = 60_000;

describe('a backend of PostgreSQL that is frozen', () => {
  let log: TestLog;
  let observer: pg.Client;
  const frozen: number[] = [];
  beforeEach(async () => {
    log = await openTestLog();
    observer = new pg.Client({ connectionString: log.url });
    await observer.connect();
  }, patience);
  afterEach(async () => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
    await observer.end();
    await log.close();
  });

  /** Waits for a backend of this database that `state` is true of, and freezes it. */
  async function freeze(state: string): Promise<number> {
    for (;;) {
      const { rows } = await observer.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${state}`,
      );
      const [found] = rows;
      if (found !== undefined) {
        process.kill(found.pid, 'SIGSTOP');
        frozen.push(found.pid);
        return found.pid;
      }
      await sleep(10);
    }
  }

  /** The streams of the next page of a follower, one for each event. */
  async function nextStreams(follower: AsyncGenerator<LogPage>): Promise<readonly string[]> {
    const { value } = (await follower.next()) as { readonly value?: LogPage };
    return value?.events.map(({ stream }) => stream) ?? [];
  }

  const thaw = (pid: number): void => {
    frozen.splice(frozen.indexOf(pid), 1);
    process.kill(pid, 'SIGCONT');
  };

  it(
    '[LOG-1] [LOG-2] [E01] [E03] in the middle of an append holds up its own append and the feed; others go on, and nothing is torn or skipped',
    async () => {
      const start = await log.store.logEnd();
      const contested = newAppend({ stream: newId(), events: [newEvent(), newEvent()] });
      const held = await holdTransaction(log.url);
      await held.append(contested);
      const other = await log.open();
      const blocked = other.store.append(
        newAppend({ stream: contested.stream, events: [newEvent(), newEvent(), newEvent()] }),
      );
      const pid = await freeze(`wait_event_type = 'Lock'`);
      await held.commit();
      const free = newAppend();
      expect(await log.store.append(free)).toMatchObject({ ok: true });
      const before = await log.store.readLog(start);
      expect(before.held).toBe(true);
      expect(before.events.map(({ stream }) => stream)).not.toContain(free.stream);
      thaw(pid);
      expect(await blocked).toEqual({ ok: false, reason: 'conflict', version: 2 });
      expect(await wholeStream(log.store, contested.stream)).toHaveLength(2);
      const follower = followLog(log.store, before.next, {
        wakeUp: new LocalWakeUp(),
        signal: new AbortController().signal,
      });
      const seen = before.events.map(({ stream }) => stream);
      while (!seen.includes(free.stream)) seen.push(...(await nextStreams(follower)));
      await follower.return(undefined);
      expect(seen.toSorted()).toEqual([contested.stream, contested.stream, free.stream].toSorted());
    },
    patience,
  );

  it(
    '[E01] [S01] of a reader keeps its follower waiting and nobody else, and the follower then gets each event once',
    async () => {
      const reader = await log.open(1);
      const end = await log.store.logEnd();
      const stop = new AbortController();
      const follower = followLog(reader.store, end, {
        wakeUp: reader.wakeUp,
        signal: stop.signal,
        pollMs: 20,
      });
      const first = newAppend();
      await log.store.append(first);
      const seen = [...(await nextStreams(follower))];
      const waiting = nextStreams(follower);
      // The one backend that looks for events again and again while none come.
      const pid = await freeze(`query like '%from event%' and query not like '%pg_stat_activity%'
        and backend_start = (select max(backend_start) from pg_stat_activity where query like '%from event%'
          and datname = current_database() and pid <> pg_backend_pid())`);
      const appends = Array.from({ length: 20 }, () => newAppend());
      for (const append of appends) expect(await log.store.append(append)).toMatchObject({ ok: true });
      thaw(pid);
      seen.push(...(await waiting));
      while (seen.length < appends.length + 1) seen.push(...(await nextStreams(follower)));
      stop.abort();
      expect(seen).toEqual([first, ...appends].map(({ stream }) => stream));
    },
    patience,
  );
});
