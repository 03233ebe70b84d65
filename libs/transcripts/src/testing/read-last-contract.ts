import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TranscriptStore } from '../store/transcript-store.js';
import { newAppend, newEvent, wholeStream } from './new-events.js';
import type { StoreUnderTest } from './store-contract.js';

/** The promises of `TranscriptStore.readLast`, to be run over each store. */
export function readLastContract(name: string, makeStore: () => Promise<StoreUnderTest>): void {
  describe(`${name} finds events from the end`, () => {
    let opened: StoreUnderTest;
    let store: TranscriptStore;
    beforeAll(async () => {
      opened = await makeStore();
      store = opened.store;
    }, 30_000);
    afterAll(() => opened.close());

    it('finds the last event of a type up to a version, and none where there is none', async () => {
      const types = ['A', 'B', 'A', 'C', 'A'];
      const [first, ...rest] = types.map((type) => newEvent({ type }));
      const request = newAppend({ events: [first!, ...rest] });
      const { stream } = request;
      await store.append(request);
      const versionOf = async (type: string, upTo: number) =>
        (await store.readLast(stream, type, upTo))?.version ?? null;
      expect(await versionOf('A', Number.MAX_SAFE_INTEGER)).toBe(5);
      expect(await versionOf('A', 4)).toBe(3);
      expect(await versionOf('C', 3)).toBeNull();
      expect(await versionOf('D', 5)).toBeNull();
      expect(await store.readLast('agent-1', 'A', 5)).toBeNull();
      expect(await store.readLast(stream, 'B', 5)).toEqual((await wholeStream(store, stream))[1]);
    });
  });
}
