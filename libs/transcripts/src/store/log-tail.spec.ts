import { describe, expect, it } from '@jest/globals';
import { NO_STREAM, type LogPlace } from '../events/recorded-event.js';
import { newAppend, newEvent } from '../testing/new-events.js';
import { InMemoryTranscriptStore } from './in-memory-transcript-store.js';
import { followLog } from './log-tail.js';
import type { LogPage } from './transcript-store.js';
import { LocalWakeUp } from './wake-up.js';

const never = 2 ** 31 - 1;

describe('followLog', () => {
  it('[S01] catches up page by page, then follows at a wake-up, each event once', async () => {
    const { store, wakeUp, stop, follow } = setUp();
    await appendMany(store, 5);
    const following = follow(null, { limit: 2 });
    const seen = [...(await take(following, 3))];
    const waiting = take(following, 1);
    await appendMany(store, 1);
    wakeUp.wake();
    seen.push(...(await waiting));
    stop();
    expect(seen).toEqual((await store.readLog(null)).events.map((event) => event.id));
    expect((await following.next()).done).toBe(true);
  });

  it('reads at the poll interval when a wake-up is lost', async () => {
    const { store, stop, follow } = setUp();
    const following = follow(null, { pollMs: 1 });
    const waiting = take(following, 1);
    await appendMany(store, 1);
    expect(await waiting).toHaveLength(1);
    stop();
  });

  it('misses no wake-up that comes while it reads', async () => {
    const { store, wakeUp, stop, follow } = setUp();
    const late = new (class extends InMemoryTranscriptStore {
      override async readLog(after: LogPlace | null, limit?: number): Promise<LogPage> {
        const page = await store.readLog(after, limit);
        if (page.next === null) {
          await appendMany(store, 1);
          wakeUp.wake();
        }
        return page;
      }
    })();
    expect(await take(follow(null, {}, late), 1)).toHaveLength(1);
    stop();
  });

  it('[E01] reads again by itself while rows are held back, and yields no empty page', async () => {
    const { store, stop, follow } = setUp();
    let reads = 0;
    const holding = new (class extends InMemoryTranscriptStore {
      override readLog(after: LogPlace | null, limit?: number): Promise<LogPage> {
        reads += 1;
        return reads < 4
          ? Promise.resolve({ events: [], next: after, more: true, held: true, drops: 0 })
          : store.readLog(after, limit);
      }
    })();
    await appendMany(store, 1);
    expect(await take(follow(null, {}, holding), 1)).toHaveLength(1);
    expect(reads).toBe(4);
    stop();
  });

  it('[S07] ends on abort while it waits, and leaves no timer and no listener behind', async () => {
    const { stop, follow } = setUp();
    const following = follow(null, {});
    const waiting = following.next();
    stop();
    expect((await waiting).done).toBe(true);
  });

  it('hands a failing read to its caller, who can go on from the last page', async () => {
    const { store, stop, follow } = setUp();
    const failing = new (class extends InMemoryTranscriptStore {
      override readLog(after: LogPlace | null, limit?: number): Promise<LogPage> {
        return after === null ? store.readLog(after, limit) : Promise.reject(new Error('cut'));
      }
    })();
    await appendMany(store, 3);
    const following = follow(null, { limit: 1 }, failing);
    const page = (await following.next()).value as LogPage;
    await expect(following.next()).rejects.toThrow('cut');
    expect(await take(follow(page.next, {}), 1)).toHaveLength(2);
    stop();
  });
});

function setUp() {
  const store = new InMemoryTranscriptStore();
  const wakeUp = new LocalWakeUp();
  const controller = new AbortController();
  const shared = { wakeUp, signal: controller.signal, pollMs: never };
  return {
    store,
    wakeUp,
    stop: () => controller.abort(),
    follow: (after: LogPlace | null, options: { pollMs?: number; limit?: number }, from = store) =>
      followLog(from, after, { ...shared, ...options }),
  };
}

async function appendMany(store: InMemoryTranscriptStore, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await store.append(newAppend({ expected: NO_STREAM, events: [newEvent()] }));
}

async function take(pages: AsyncGenerator<LogPage, void, void>, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { value } = await pages.next();
    ids.push(...(value?.events ?? []).map((event) => event.id));
  }
  return ids;
}
