import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { absentAgent, type AgentMeta } from '../agent-meta/agent-meta.js';
import { evolve } from '../agent-meta/evolve.js';
import { decodeEvent } from '../events/event-codec.js';
import { NO_STREAM, type RecordedEvent } from '../events/recorded-event.js';
import { newAppend, newEvent, newId } from '../testing/new-events.js';
import { loadMeta } from './execute-command.js';
import { InMemoryTranscriptStore } from './in-memory-transcript-store.js';
import { KeptFolds } from './kept-folds.js';
import type { StreamPage } from './transcript-store.js';

describe('folds that are kept', () => {
  const stream = newId();
  let store: CountingStore;
  let kept: KeptFolds<AgentMeta>;

  beforeEach(() => {
    store = new CountingStore();
    kept = foldsOf({ readStream: (...asked) => store.readStream(...asked) });
  });

  async function append(
    target: InMemoryTranscriptStore,
    count: number,
    tenant = 'tenant-a',
    to = stream,
  ): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const last = (await target.readStream(to)).events.at(-1);
      const expected = last === undefined ? NO_STREAM : { version: last.version, hash: last.hash };
      await target.append(
        newAppend({ stream: to, expected, events: [newEvent()], context: { actor: 'system:spec', tenant } }),
      );
    }
  }

  it('[LOG-2] an answer is what the whole stream folds to, at any version and at the end', async () => {
    const step = fc.record({ appends: fc.nat(3), version: fc.option(fc.integer({ min: 0, max: 20 })) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        store = new CountingStore();
        kept = foldsOf({ readStream: (...asked) => store.readStream(...asked) });
        for (const { appends, version } of steps) {
          await append(store, appends);
          const upTo = version ?? Number.MAX_SAFE_INTEGER;
          const events = (await store.readStream(stream)).events.filter((event) => event.version <= upTo);
          expect((await kept.upTo(stream, upTo)).head.version).toBe(events.length);
          expect((await kept.upTo(stream, upTo)).head.hash).toBe(events.at(-1)?.hash ?? null);
          expect((await kept.upTo(stream)).head).toEqual((await loadMeta(store, stream)).head);
        }
      }),
    );
  });

  it('reads of a long stream only what was recorded since', async () => {
    await append(store, 50);
    await kept.upTo(stream);
    await append(store, 2);
    store.events = 0;
    expect((await kept.upTo(stream)).head.version).toBe(52);
    expect(store.events).toBe(3);
  });

  it('keeps earlier places too, so that forks of one session need not come in the order of their launches', async () => {
    await append(store, 20);
    for (const version of [10, 12, 14]) await kept.upTo(stream, version);
    store.events = 0;
    expect((await kept.upTo(stream, 12)).head.version).toBe(12);
    expect((await kept.upTo(stream, 13)).head.version).toBe(13);
    expect(store.events).toBe(2);
  });

  it('[C03] reads the whole stream where it is no longer what was folded', async () => {
    await append(store, 5);
    await kept.upTo(stream);
    store = new CountingStore();
    await append(store, 7, 'tenant-b');
    expect(await kept.upTo(stream)).toEqual(await loadMeta(store, stream));
    store = new CountingStore();
    await append(store, 2, 'tenant-c');
    expect(await kept.upTo(stream)).toEqual(await loadMeta(store, stream));
  });

  it('[E17] keeps as many as the room for all of them allows, the one that was asked for last for longest', async () => {
    const roomy = { streams: 9, places: 4, length: 3 * 20 * newEvent().data.length };
    kept = foldsOf({ readStream: (...asked) => store.readStream(...asked) }, roomy);
    const streams = Array.from({ length: 4 }, newId);
    for (const one of streams) await append(store, 20, 'tenant-a', one);
    for (const one of streams) await kept.upTo(one);
    const read = async (one: string | undefined): Promise<number> => {
      store.events = 0;
      await kept.upTo(one ?? '');
      return store.events;
    };
    expect(await read(streams[3])).toBe(1);
    expect(await read(streams[1])).toBe(1);
    expect(await read(streams[0])).toBe(20);
    const long = newId();
    await append(store, 61, 'tenant-a', long);
    expect([await read(long), await read(long)]).toEqual([61, 61]);
    expect(await read(streams[0])).toBe(1);
  });

  it('a stream that does not exist is asked for again', async () => {
    expect((await kept.upTo(stream)).status).toBe('absent');
    await append(store, 1);
    expect((await kept.upTo(stream)).head.version).toBe(1);
  });
});

class CountingStore extends InMemoryTranscriptStore {
  events = 0;
  override async readStream(stream: string, after?: number, limit?: number): Promise<StreamPage> {
    const page = await super.readStream(stream, after, limit);
    this.events += page.events.length;
    return page;
  }
}

function foldsOf(
  store: Pick<InMemoryTranscriptStore, 'readStream'>,
  most?: ConstructorParameters<typeof KeptFolds>[2],
): KeptFolds<AgentMeta> {
  const fold = {
    begin: absentAgent,
    headOf: ({ head }: AgentMeta) => head,
    add: (meta: AgentMeta, events: readonly RecordedEvent[]) =>
      events.reduce((folded, record) => evolve(folded, decodeEvent(record)), meta),
  };
  return new KeptFolds(store, fold, most);
}
