import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AppendRequest } from '../store/transcript-store.js';
import { newAppend, newEvent, newId, wholeStream } from './new-events.js';
import type { StoreUnderTest } from './store-contract.js';

const patience = 60_000;

/** What every store promises about appends that require other streams. */
export function requiringContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`${name}, appending what requires other streams`, () => {
    let opened: StoreUnderTest;

    beforeAll(async () => {
      opened = await open();
    }, patience);
    afterAll(() => opened.close());

    const there = async (): Promise<string> => {
      const request = newAppend();
      await opened.store.append(request);
      return request.stream;
    };
    const keyed = (): Partial<AppendRequest> => ({
      idempotency: { key: newId(), bodyHash: 'a'.repeat(64) },
    });
    const large = (): Partial<AppendRequest> => ({
      events: [newEvent({ data: JSON.stringify({ text: 'x'.repeat(1_200_000) }) }), newEvent()],
    });

    it.each([
      ['plain', () => ({})],
      ['keyed', keyed],
      ['large', large],
    ])('records it where they are there, and says which one is not (%s)', async (_name, fields) => {
      const [one, other, missing] = [await there(), await there(), newId()];
      const recorded = newAppend({ ...fields(), requires: [one, other] });
      expect(await opened.store.append(recorded)).toMatchObject({ ok: true });
      const lost = newAppend({ ...fields(), requires: [one, missing] });
      expect(await opened.store.append(lost)).toEqual({ ok: false, reason: 'missing', stream: missing });
      expect(await wholeStream(opened.store, lost.stream)).toEqual([]);
      expect(await opened.store.append(recorded)).toMatchObject({ ok: true });
    });

    it('fails alone among appends that share its commit', async () => {
      const required = await there();
      const requests = Array.from({ length: 30 }, (_, n) => {
        const events = [newEvent(), newEvent()] as const;
        if (n % 3 === 0) return newAppend({ events });
        return newAppend({ events, requires: [n % 3 === 1 ? required : newId()] });
      });
      const results = await Promise.all(requests.map((request) => opened.store.append(request)));
      expect(results.map(({ ok }) => ok)).toEqual(requests.map((_, n) => n % 3 !== 2));
      for (const [n, { stream }] of requests.entries())
        expect(await wholeStream(opened.store, stream)).toHaveLength(n % 3 === 2 ? 0 : 2);
    });
  });
}
