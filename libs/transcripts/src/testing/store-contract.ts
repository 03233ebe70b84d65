import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NO_STREAM, type NewEvent, type StreamHead } from '../events/recorded-event.js';
import { compareLogPlaces } from '../store/log-place.js';
import { storeLimits } from '../store/store-limits.js';
import { verifyStream } from '../store/verify-stream.js';
import type { AppendResult, TranscriptStore } from '../store/transcript-store.js';
import { newAppend, newEvent, newId, testContext, wholeLog, wholeStream } from './new-events.js';

// Milliseconds that a busy machine may take; nothing is decided by them.
const patience = 30_000;

/** A store with nothing in it, and what has to be closed after the suite. */
export interface StoreUnderTest {
  readonly store: TranscriptStore;
  readonly close: () => Promise<void>;
}

/** Every promise of `TranscriptStore`, to be run over each store: call it at the top level of a spec file. */
export function storeContract(name: string, makeStore: () => Promise<StoreUnderTest>): void {
  describe(`${name} keeps the contract of the transcript store`, () => {
    let opened: StoreUnderTest;
    let store: TranscriptStore;
    const openStore = async (): Promise<void> => {
      opened = await makeStore();
      store = opened.store;
    };
    const closeStore = (): Promise<void> => opened.close();

    describe('appending', () => {
      beforeAll(openStore, patience);
      afterAll(closeStore);

      it('records the events of one append in order, with versions from 1 and no holes', async () => {
        const request = newAppend({ events: [newEvent(), newEvent(), newEvent()] });
        const head = headOf(await store.append(request));
        const events = await wholeStream(store, request.stream);
        expect(events.map((event) => event.version)).toEqual([1, 2, 3]);
        expect(events.map((event) => event.id)).toEqual(request.events.map((event) => event.id));
        expect(head).toEqual({ version: 3, hash: events[2]?.hash });
      });

      it('gives back every field of the envelope, and leaves absent ones absent', async () => {
        const event = newEvent({ type: 'RunStarted', schema: 7, data: '{ "a" : 1 }' });
        const context = {
          actor: 'worker:1',
          tenant: 't',
          causation: 'c',
          correlation: 'k',
          trace: '00-ab-cd-01',
        };
        const full = newAppend({ events: [event], context });
        await store.append(full);
        expect((await wholeStream(store, full.stream))[0]).toMatchObject({
          ...event,
          ...context,
          stream: full.stream,
        });
        const bare = newAppend();
        await store.append(bare);
        const [read] = await wholeStream(store, bare.stream);
        expect(Object.keys(read ?? {})).not.toEqual(expect.arrayContaining(['causation']));
        expect(read?.recordedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      });

      it('[E03] answers a conflict with the current version and writes nothing', async () => {
        const first = newAppend({ events: [newEvent(), newEvent()] });
        await store.append(first);
        for (const expected of [NO_STREAM, await headAt(first.stream, 1)]) {
          const result = await store.append(
            newAppend({ stream: first.stream, expected, events: [newEvent(), newEvent()] }),
          );
          expect(result).toEqual({ ok: false, reason: 'conflict', version: 2 });
        }
        expect(await wholeStream(store, first.stream)).toHaveLength(2);
      });

      it('conflicts on a head that is ahead of the stream, and on a stream that is not there', async () => {
        const first = newAppend();
        const head = headOf(await store.append(first));
        const ahead = { version: 5, hash: head.hash };
        expect(await store.append(newAppend({ stream: first.stream, expected: ahead }))).toMatchObject({
          version: 1,
        });
        expect(await store.append(newAppend({ expected: head }))).toEqual({
          ok: false,
          reason: 'conflict',
          version: 0,
        });
      });

      it('conflicts when the version is right and the hash is not', async () => {
        const first = newAppend();
        await store.append(first);
        const result = await store.append(
          newAppend({ stream: first.stream, expected: { version: 1, hash: 'ab'.repeat(32) } }),
        );
        expect(result).toEqual({ ok: false, reason: 'conflict', version: 1 });
      });

      it('answers the very same append as it did the first time, and records it once', async () => {
        const request = newAppend({ events: [newEvent(), newEvent()], idempotency: claim() });
        const head = headOf(await store.append(request));
        expect(await store.append(request)).toEqual({ ok: true, head });
        expect(await wholeStream(store, request.stream)).toHaveLength(2);
      });

      it('[E03] of 50 appends at once on one head exactly one wins, whole', async () => {
        const stream = newId();
        const results = await Promise.all(
          Array.from({ length: 50 }, () =>
            store.append(newAppend({ stream, events: [newEvent(), newEvent()] })),
          ),
        );
        expect(results.filter((result) => result.ok)).toHaveLength(1);
        expect(await wholeStream(store, stream)).toHaveLength(2);
      });

      it(
        '[E03] 50 writers that decide again after a conflict leave 50 versions without a hole',
        async () => {
          const stream = newId();
          const write = async (head: StreamHead): Promise<void> => {
            const result = await store.append(newAppend({ stream, expected: head }));
            if (!result.ok && result.reason === 'conflict') await write(await headAt(stream, result.version));
          };
          await Promise.all(Array.from({ length: 50 }, () => write(NO_STREAM)));
          const events = await wholeStream(store, stream);
          expect(events.map((event) => event.version)).toEqual(
            Array.from({ length: 50 }, (_, index) => index + 1),
          );
          expect(await verifyStream(store, stream)).toMatchObject({ ok: true });
        },
        patience,
      );
    });

    describe('refusing what can never be stored', () => {
      beforeAll(openStore, patience);
      afterAll(closeStore);

      const cases: [string, string, () => Parameters<TranscriptStore['append']>[0]][] = [
        [
          'a raw NUL in a payload',
          'text_not_storable',
          () => newAppend({ events: [newEvent({ data: '"\0"' })] }),
        ],
        [
          'a lone surrogate in a payload',
          'text_not_storable',
          () => newAppend({ events: [newEvent({ data: '"\ud800"' })] }),
        ],
        [
          'a raw NUL in a name',
          'text_not_storable',
          () => newAppend({ context: { ...testContext, trace: 'a\0' } }),
        ],
        [
          'an empty tenant',
          'envelope_out_of_bounds',
          () => newAppend({ context: { actor: 'a', tenant: '' } }),
        ],
        [
          'a schema version of 0',
          'envelope_out_of_bounds',
          () => newAppend({ events: [newEvent({ schema: 0 })] }),
        ],
        ['a stream that is no UUID', 'id_not_canonical', () => newAppend({ stream: 'agent-1' })],
        [
          'an event id in upper case',
          'id_not_canonical',
          () => newAppend({ events: [newEvent({ id: newId().toUpperCase() })] }),
        ],
        [
          'a head without a hash',
          'head_not_possible',
          () => newAppend({ expected: { version: 1, hash: null } }),
        ],
        [
          'a payload over the limit',
          'event_too_large',
          () => newAppend({ events: [newEvent({ data: 'x'.repeat(storeLimits.eventBytes + 1) })] }),
        ],
      ];
      it.each(cases)('[E06] refuses %s as %s and writes nothing', async (_what, code, request) => {
        const valid = newEvent();
        const refused = request();
        await expect(store.append({ ...refused, events: [valid, ...refused.events] })).rejects.toMatchObject({
          code,
        });
        expect(await wholeStream(store, refused.stream)).toEqual([]);
      });
    });

    describe('payload bytes', () => {
      beforeAll(openStore, patience);
      afterAll(closeStore);

      const texts = [
        ['[E06] an escaped NUL', '{"r":"a\\u0000b"}'],
        ['[E06] the six characters of an escaped NUL', '{"r":"\\\\u0000"}'],
        ['[E06] lone surrogates as escapes', '{"r":"\\ud800 \\udfff"}'],
        [
          '[E08] key order, number spelling and duplicate keys',
          '{"zebra":1,"alpha":2,"n":1.10,"e":1e2,"z":-0,"n":1.10}',
        ],
        ['[E09] integers past 2^53', '{"n":9007199254740993,"w":123456789012345678901234567890}'],
        ['[E11] nesting 100,000 deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
        ['[E13] 7,900 bytes', `"${'a'.repeat(7_900)}"`],
        ['[E13] 8,100 bytes', `"${'a'.repeat(8_100)}"`],
        ['[E13] 4,000 two-byte characters', `"${'é'.repeat(4_000)}"`],
        ['[N07] a __proto__ key', '{"__proto__":{"admin":true},"constructor":1}'],
        ['[S12] line breaks of every kind', '{"t":"\r\n\\r\\n\u2028\u2029 {},\\"\\\\"}'],
        ['a payload over the inline limit', `"${'🦜é"'.repeat(storeLimits.inlineBytes / 4)}"`],
      ];
      it.each(texts)('%s comes back byte for byte, from the stream and from the log', async (_what, data) => {
        const request = newAppend({ events: [newEvent(), newEvent({ data }), newEvent()] });
        const end = await store.logEnd();
        await store.append(request);
        const events = await wholeStream(store, request.stream);
        expect(sha256(events[1]?.data)).toBe(sha256(data));
        expect(sha256((await store.readLog(end)).events[1]?.data)).toBe(sha256(data));
        expect(await verifyStream(store, request.stream)).toMatchObject({ ok: true });
      });

      it('[LOG-3] [E06] any JSON text comes back byte for byte', async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.json({ stringUnit: 'binary' }), { minLength: 1, maxLength: 5 }),
            async (texts) => {
              const [first = '', ...rest] = texts.map(escaped);
              const request = newAppend({
                events: [newEvent({ data: first }), ...rest.map((data) => newEvent({ data }))],
              });
              await store.append(request);
              expect((await wholeStream(store, request.stream)).map((event) => event.data)).toEqual([
                first,
                ...rest,
              ]);
            },
          ),
          { numRuns: 30 },
        );
      });
    });

    describe('reading', () => {
      beforeAll(openStore, patience);
      afterAll(closeStore);

      it('[E17] clamps the page size and pages through a stream without loss', async () => {
        const many: NewEvent[] = Array.from({ length: storeLimits.pageEvents + 5 }, () => newEvent());
        const request = newAppend({ events: [newEvent(), ...many] });
        await store.append(request);
        const page = await store.readStream(request.stream, 0, 1e9);
        expect(page.events).toHaveLength(storeLimits.pageEvents);
        expect(page.next).toBe(storeLimits.pageEvents);
        for (const limit of [0, -1, Number.NaN, 0.5])
          expect((await store.readStream(request.stream, 0, limit)).events).not.toEqual([]);
        const ids = (await wholeStream(store, request.stream, 97)).map((event) => event.id);
        expect(ids).toEqual(request.events.map((event) => event.id));
      });

      it('[E17] ends a page at its limit of bytes, and still delivers everything', async () => {
        const data = `"${'x'.repeat(storeLimits.inlineBytes - 2)}"`;
        const request = newAppend({
          events: [newEvent(), ...Array.from({ length: 10 }, () => newEvent({ data }))],
        });
        await store.append(request);
        expect((await store.readStream(request.stream)).events.length).toBeLessThan(11);
        expect(await wholeStream(store, request.stream)).toHaveLength(11);
        expect((await wholeLog(store)).filter((event) => event.stream === request.stream)).toHaveLength(11);
      });

      it('answers an empty page for a stream that is not there and for an end that was reached', async () => {
        expect(await store.readStream(newId())).toEqual({ events: [], next: null });
        expect(await store.readStream('agent-1')).toEqual({ events: [], next: null });
        const request = newAppend();
        await store.append(request);
        expect(await store.readStream(request.stream, 1)).toEqual({ events: [], next: null });
      });
    });

    describe('the log', () => {
      beforeAll(openStore, patience);
      afterAll(closeStore);

      it('[E22] pages through the log in one order, each event once, whatever the page size', async () => {
        await Promise.all(
          Array.from({ length: 40 }, () => store.append(newAppend({ events: [newEvent(), newEvent()] }))),
        );
        const whole = await wholeLog(store);
        const paged = await wholeLog(store, 7);
        expect(paged.map((event) => event.id)).toEqual(whole.map((event) => event.id));
        expect(new Set(whole.map((event) => event.id)).size).toBe(whole.length);
        for (const [index, event] of whole.entries()) {
          const before = whole[index - 1];
          if (before !== undefined) expect(compareLogPlaces(before.place, event.place)).toBeLessThan(0);
        }
      });

      it('[E01] continues after the last place with nothing missed and nothing twice', async () => {
        const end = await store.logEnd();
        const request = newAppend({ events: [newEvent(), newEvent()] });
        await store.append(request);
        const page = await store.readLog(end);
        expect(page.events.map((event) => event.id)).toEqual(request.events.map((event) => event.id));
        expect(page.next).toEqual(await store.logEnd());
        const nothing = { events: [], next: page.next, more: false, held: false, drops: 0 };
        expect(await store.readLog(page.next)).toEqual(nothing);
      });

      it('orders the events of one stream by version in the log', async () => {
        const versions = new Map<string, number>();
        for (const event of await wholeLog(store)) {
          expect(event.version).toBe((versions.get(event.stream) ?? 0) + 1);
          versions.set(event.stream, event.version);
        }
        expect(versions.size).toBeGreaterThan(0);
      });

      it('links each event to its predecessor, in the log as in the stream', async () => {
        const hashes = new Map<string, string>();
        for (const event of await wholeLog(store, 3)) {
          expect(event.previousHash).toBe(hashes.get(event.stream) ?? null);
          hashes.set(event.stream, event.hash);
        }
        // Of a page that begins in the middle of a stream, the first event has its predecessor elsewhere.
        for (const stream of hashes.keys()) {
          const { events } = await store.readStream(stream);
          const [first] = (await store.readStream(stream, events.length - 1, 1)).events;
          expect(first).toEqual(events.at(-1));
          expect(first?.previousHash).toBe(events.at(-2)?.hash ?? null);
        }
      });

      it('keeps bytes by their content, once, and knows no others', async () => {
        const bytes = Buffer.concat([Buffer.from([0, 255, 0xc3, 0x28]), Buffer.alloc(300_000, 7)]);
        const reference = await store.saveBlob(bytes);
        const hash = createHash('sha256').update(bytes).digest('hex');
        expect(reference).toEqual({ hash, sizeBytes: bytes.length });
        expect(await store.saveBlob(bytes)).toEqual(reference);
        expect(bytes.equals((await store.readBlob(hash)) ?? Buffer.alloc(0))).toBe(true);
        expect(await store.readBlob(sha256(newId()))).toBeNull();
      });

      it('gives bytes a part at a time, and none of what nobody saved', async () => {
        const bytes = Buffer.concat([Buffer.from(newId()), Buffer.alloc(600_000, 9)]);
        const { hash } = await store.saveBlob(bytes);
        const parts = [];
        for await (const part of store.readBlobParts(hash)) parts.push(part);
        expect(parts.map((part) => part.length)).toEqual([262_144, 262_144, bytes.length - 524_288]);
        expect(Buffer.concat(parts).equals(bytes)).toBe(true);
        expect(await store.readBlobParts(sha256(newId())).next()).toMatchObject({ done: true });
      });

      it('tells which keys commands claimed on a stream', async () => {
        const append = newAppend({ idempotency: { key: newId(), bodyHash: sha256('body') } });
        await store.append(append);
        expect(await store.readClaims(append.stream, 0, 9)).toEqual([{ version: 1, ...append.idempotency }]);
        expect(await store.readClaims(append.stream, 1, 99)).toEqual([]);
      });

      it('reads many short streams at once, each up to a version and with its keys, and leaves out what is not there or does not fit', async () => {
        const key = { key: newId(), bodyHash: sha256('body') };
        const [first, second, large] = [
          newAppend({ events: [newEvent(), newEvent()], idempotency: key }),
          newAppend({ events: [newEvent()] }),
          newAppend({
            events: [1, 2, 3, 4, 5].map(() =>
              newEvent({ data: JSON.stringify('x'.repeat(2_500_000)) }),
            ) as never,
          }),
        ];
        for (const append of [first, second, large]) await store.append(append);
        const read = await store.readStreams(
          new Map([
            [second.stream, 1],
            [first.stream, 1],
            [newId(), 3],
            [large.stream, 5],
          ]),
        );
        expect([...read.keys()].sort()).toEqual([first.stream, second.stream].sort());
        const events = (await store.readStream(first.stream)).events.slice(0, 1);
        expect(read.get(first.stream)).toEqual({ events, claims: [{ version: 1, ...key }] });
        expect((await store.readStreams(new Map([[second.stream, 2]]))).size).toBe(0);
      });

      it('keeps one identity', async () => {
        expect(await store.logId()).toMatch(/^[0-9a-f-]{36}$/);
        expect(await store.logId()).toBe(await store.logId());
      });
    });

    async function headAt(stream: string, version: number): Promise<StreamHead> {
      const { events } = await store.readStream(stream, version - 1, 1);
      return { version, hash: events[0]?.hash ?? null };
    }
  });
}

function headOf(result: AppendResult): StreamHead {
  if (!result.ok) throw new Error(`The append was answered with ${result.reason}.`);
  return result.head;
}

function claim(): { key: string; bodyHash: string } {
  return { key: newId(), bodyHash: sha256(newId()) };
}

function sha256(text = ''): string {
  return createHash('sha256').update(text).digest('hex');
}

// fast-check prints lone surrogates raw; JSON.stringify writes them as escapes.
function escaped(json: string): string {
  return JSON.stringify(JSON.parse(json));
}
