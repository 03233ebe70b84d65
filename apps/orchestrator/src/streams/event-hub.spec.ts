import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { LocalWakeUp, type LogPlace, NO_STREAM } from '#transcripts';
import { InMemoryTranscriptStore, newAppend, newEvent, newId } from '#transcripts/testing';
import type { EventFrame } from './event-frame.js';
import { EventHub } from './event-hub.js';
import { SubjectIndex } from './subject-index.js';

/** A client that keeps the ids of what it was pushed. */
class Client {
  readonly ids: string[] = [];
  cuts = 0;
  push(frames: readonly EventFrame[]): void {
    this.ids.push(...frames.map(({ event }) => event.id));
  }
  cutOff(): void {
    this.cuts += 1;
  }
}

describe('the shared tail of the log', () => {
  let store: InMemoryTranscriptStore;
  let wakeUp: LocalWakeUp;
  let hub: EventHub;

  beforeEach(async () => {
    store = new InMemoryTranscriptStore();
    wakeUp = new LocalWakeUp();
    hub = new EventHub(store, wakeUp, new SubjectIndex(store), (thrown) => {
      throw thrown;
    });
    await hub.start();
  });
  afterEach(() => hub.stop());

  /** Records one event in a stream of its own, without waking anybody. */
  async function record(): Promise<string> {
    const append = newAppend({
      stream: newId(),
      expected: NO_STREAM,
      events: [newEvent({ type: 'SomethingHappened', data: '{}' })],
    });
    await store.append(append);
    return append.events[0].id;
  }

  async function placeOf(id: string): Promise<LogPlace> {
    const { events } = await store.readLog(null);
    const place = events.find((event) => event.id === id)?.place;
    if (place === undefined) throw new Error(`No event ${id} is in the log.`);
    return place;
  }

  async function until(holds: () => boolean): Promise<void> {
    wakeUp.wake();
    for (let turn = 0; turn < 500 && !holds(); turn += 1) await pause(2);
  }

  it('[OPS-2] a client joins behind its place and gets what came after it once', async () => {
    const ids = [await record(), await record(), await record()];
    const earlier = new Client();
    hub.join(null, earlier);
    await until(() => earlier.ids.length === ids.length);
    const client = new Client();
    expect(hub.join(await placeOf(ids[0] ?? ''), client)).toBe(true);
    expect(client.ids).toEqual(ids.slice(1));
  });

  it('[OPS-2] a client that has read further than the tail gets nothing twice', async () => {
    const ids = [await record(), await record()];
    const client = new Client();
    const joined = hub.join(await placeOf(ids[1] ?? ''), client);
    const next = await record();
    await until(() => client.ids.includes(next));
    expect(joined).toBe(true);
    expect(client.ids).toEqual([next]);
  });

  it('a client that left gets nothing more', async () => {
    const staying = new Client();
    const leaving = new Client();
    hub.join(await store.logEnd(), staying);
    hub.join(await store.logEnd(), leaving);
    hub.leave(leaving);
    const id = await record();
    await until(() => staying.ids.includes(id));
    expect(staying.ids).toEqual([id]);
    expect(leaving.ids).toEqual([]);
    expect(hub.size).toBe(1);
  });
});
