import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LogPlace, RecordedEvent } from '../events/recorded-event.js';
import { newAppend, newEvent, wholeLog } from '../testing/new-events.js';
import { InMemoryTranscriptStore } from './in-memory-transcript-store.js';
import { type LogSource, SharedPages } from './shared-pages.js';
import type { LogPage } from './transcript-store.js';
import { LocalWakeUp } from './wake-up.js';

describe('pages that the readers of a process share', () => {
  let store: CountingStore;
  let wakeUp: LocalWakeUp;
  let nowMs: number;
  let pages: SharedPages;

  beforeEach(() => {
    store = new CountingStore();
    wakeUp = new LocalWakeUp();
    nowMs = 0;
    pages = new SharedPages(store, wakeUp, () => nowMs);
  });

  it('[LOG-2] hands each reader everything once and in order, and reads it once for all of them', async () => {
    await append(store, 5);
    const seen = await Promise.all(Array.from({ length: 6 }, () => readOn(pages, null)));
    const log = (await wholeLog(store)).map(({ id }) => id);
    expect(seen).toEqual(seen.map(() => log));
    expect(store.reads).toBeLessThan(4);
  });

  it('[LOG-2] is no older than the last wake-up, however fresh the last look was', async () => {
    await append(store, 1);
    const { next } = await pages.readLog(null);
    expect((await pages.readLog(next)).events).toEqual([]);
    await append(store, 1);
    wakeUp.wake();
    expect((await pages.readLog(next)).events).toHaveLength(1);
  });

  it('[LOG-2] finds by itself what nobody announced, once its last look is old', async () => {
    await append(store, 1);
    const { next } = await pages.readLog(null);
    await pages.readLog(next);
    await append(store, 1);
    expect((await pages.readLog(next)).events).toEqual([]);
    nowMs = 1_000;
    expect((await pages.readLog(next)).events).toHaveLength(1);
  });

  it('[LOG-2] a read that began before a wake-up is not the answer to who came after it', async () => {
    await append(store, 1);
    const { next } = await pages.readLog(null);
    nowMs = 1_000;
    const before = store.stopBeforeAnswer();
    const early = pages.readLog(next);
    await before.reached;
    await append(store, 1);
    wakeUp.wake();
    const late = pages.readLog(next);
    before.goOn();
    await early;
    expect((await late).events).toHaveLength(1);
  });

  it('[LOG-2] whatever readers ask for and whenever, each gets the log as it is', async () => {
    const step = fc.record({
      reader: fc.nat(3),
      limit: fc.integer({ min: 1, max: 4 }),
      appends: fc.nat(3),
      isAnnounced: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const log = new InMemoryTranscriptStore();
        const hint = new LocalWakeUp();
        const shared = new SharedPages(log, hint, () => (nowMs += 7));
        const readers = Array.from({ length: 4 }, () => ({
          place: null as LogPlace | null,
          ids: [] as string[],
        }));
        for (const { reader, limit, appends, isAnnounced } of steps) {
          await append(log, appends);
          if (isAnnounced) hint.wake();
          const mine = readers[reader]!;
          const page = await shared.readLog(mine.place, limit);
          mine.place = page.next;
          mine.ids.push(...page.events.map(({ id }) => id));
        }
        hint.wake();
        const whole = (await wholeLog(log)).map(({ id }) => id);
        for (const { place, ids } of readers)
          expect([...ids, ...(await readOn(shared, place))]).toEqual(whole);
      }),
    );
  });

  it('keeps a bounded end of the log, and reads for who is further back', async () => {
    const data = JSON.stringify('x'.repeat(900_000));
    for (let count = 0; count < 30; count += 1)
      await store.append(newAppend({ events: [newEvent({ data })] }));
    const end = await pages.readLog(null);
    expect(await readOn(pages, end.next)).toHaveLength(30 - end.events.length);
    const before = store.reads;
    expect(await readOn(pages, null)).toHaveLength(30);
    expect(store.reads).toBeGreaterThan(before);
  });

  it('says that rows are held back, and looks again within milliseconds', async () => {
    await append(store, 1);
    const { next } = await pages.readLog(null);
    nowMs = 1_000;
    store.isHeld = true;
    expect(await pages.readLog(next)).toMatchObject({ events: [], more: true, held: true });
    store.isHeld = false;
    await append(store, 1);
    nowMs += 5;
    expect((await pages.readLog(next)).events).toHaveLength(1);
  });

  it('a failing read fails for who waits for it and for nobody after it', async () => {
    await append(store, 2);
    store.failsOnce = true;
    const asked = await Promise.allSettled([pages.readLog(null), pages.readLog(null)]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await readOn(pages, null)).toHaveLength(2);
  });

  it('[S12] keeps nothing from before a restored log', async () => {
    const old = (await readOnce(await filled(2))).events;
    const restored = old.map((event) => ({
      ...event,
      id: `${event.id}-2`,
      place: { ...event.place, generation: 2 },
    }));
    const source = new FixedPages([old, restored]);
    const shared = new SharedPages(source, wakeUp, () => nowMs);
    const { next } = await shared.readLog(null);
    wakeUp.wake();
    expect((await shared.readLog(next)).events).toEqual(restored);
    source.pages = [[...restored]];
    expect((await shared.readLog(null)).events).toEqual(restored);
  });
});

class CountingStore extends InMemoryTranscriptStore {
  reads = 0;
  isHeld = false;
  failsOnce = false;
  #gate: { reach: () => void; open: Promise<void> } | null = null;

  /** The next read looks, and answers only when it may. */
  stopBeforeAnswer(): { reached: Promise<void>; goOn: () => void } {
    let reach = (): void => undefined;
    let goOn = (): void => undefined;
    const reached = new Promise<void>((resolve) => (reach = resolve));
    this.#gate = { reach, open: new Promise((resolve) => (goOn = resolve)) };
    return { reached, goOn: () => goOn() };
  }

  override async readLog(after: LogPlace | null, limit?: number): Promise<LogPage> {
    this.reads += 1;
    if (this.failsOnce) {
      this.failsOnce = false;
      throw new Error('cut');
    }
    if (this.isHeld) return { events: [], next: after, more: true, held: true, drops: 0 };
    const page = await super.readLog(after, limit);
    const gate = this.#gate;
    this.#gate = null;
    gate?.reach();
    await gate?.open;
    return page;
  }
}

/** Answers one page after the other, whatever it is asked behind. */
class FixedPages implements LogSource {
  constructor(public pages: (readonly RecordedEvent[])[]) {}
  readLog(after: LogPlace | null): Promise<LogPage> {
    const events = this.pages.shift() ?? [];
    return Promise.resolve({
      events,
      next: events.at(-1)?.place ?? after,
      more: false,
      held: false,
      drops: 0,
    });
  }
}

async function append(store: InMemoryTranscriptStore, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await store.append(newAppend());
}

async function filled(count: number): Promise<InMemoryTranscriptStore> {
  const store = new InMemoryTranscriptStore();
  await append(store, count);
  return store;
}

const readOnce = (store: LogSource): Promise<LogPage> => store.readLog(null);

/** Ids of everything behind a place, read to the end. */
async function readOn(source: LogSource, after: LogPlace | null): Promise<readonly string[]> {
  const ids: string[] = [];
  let place = after;
  for (;;) {
    const page = await source.readLog(place, 3);
    if (page.events.length === 0) return ids;
    ids.push(...page.events.map(({ id }) => id));
    place = page.next;
  }
}
