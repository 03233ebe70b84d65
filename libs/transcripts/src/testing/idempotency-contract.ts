import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StreamHead } from '../events/recorded-event.js';
import type { AppendResult, TranscriptStore } from '../store/transcript-store.js';
import { newAppend, newEvent, newId, testContext, wholeStream } from './new-events.js';
import type { StoreUnderTest } from './store-contract.js';

/** The promises of `TranscriptStore.append` about idempotency keys, to be run over each store. */
export function idempotencyContract(name: string, makeStore: () => Promise<StoreUnderTest>): void {
  describe(`${name} records once what is sent under one key`, () => {
    let opened: StoreUnderTest;
    let store: TranscriptStore;
    beforeAll(async () => {
      opened = await makeStore();
      store = opened.store;
    }, 30_000);
    afterAll(() => opened.close());

    it('[LOG-1] [E04] of 20 appends at once with one key one wins and all others learn what it recorded', async () => {
      const idempotency = claim();
      const requests = Array.from({ length: 20 }, () =>
        newAppend({ events: [newEvent(), newEvent()], idempotency }),
      );
      const results = await Promise.all(requests.map((request) => store.append(request)));
      const winner = requests[results.findIndex((result) => result.ok)];
      const outcome = { stream: winner?.stream, version: 1, bodyHash: idempotency.bodyHash };
      expect(results.filter((result) => result.ok)).toHaveLength(1);
      for (const result of results)
        if (!result.ok) expect(result).toEqual({ ok: false, reason: 'duplicate', outcome });
      const losers = requests.filter((request) => request !== winner);
      for (const loser of losers) expect(await wholeStream(store, loser.stream)).toEqual([]);
    });

    it('names the version that the first append began with, and the body that it was for', async () => {
      const first = newAppend();
      const head = headOf(await store.append(first));
      const idempotency = claim();
      await store.append(
        newAppend({ stream: first.stream, expected: head, events: [newEvent(), newEvent()], idempotency }),
      );
      const again = await store.append(
        newAppend({ idempotency: { key: idempotency.key, bodyHash: 'cd'.repeat(32) } }),
      );
      const outcome = { stream: first.stream, version: 2, bodyHash: idempotency.bodyHash };
      expect(again).toEqual({ ok: false, reason: 'duplicate', outcome });
      expect(await store.findIdempotent(testContext.tenant, idempotency.key)).toEqual(outcome);
    });

    it('keeps the keys of tenants apart', async () => {
      const idempotency = claim();
      const other = { ...testContext, tenant: 'tenant-b' };
      expect(await store.append(newAppend({ idempotency }))).toMatchObject({ ok: true });
      expect(await store.append(newAppend({ idempotency, context: other }))).toMatchObject({ ok: true });
      expect(await store.findIdempotent('tenant-c', idempotency.key)).toBeNull();
    });

    it('leaves a key free when its append conflicted', async () => {
      const first = newAppend();
      await store.append(first);
      const idempotency = claim();
      expect(await store.append({ ...newAppend({ idempotency }), stream: first.stream })).toMatchObject({
        reason: 'conflict',
      });
      expect(await store.append(newAppend({ idempotency }))).toMatchObject({ ok: true });
    });
  });
}

function headOf(result: AppendResult): StreamHead {
  if (!result.ok) throw new Error(`The append was answered with ${result.reason}.`);
  return result.head;
}

function claim(): { key: string; bodyHash: string } {
  return { key: newId(), bodyHash: createHash('sha256').update(newId()).digest('hex') };
}
