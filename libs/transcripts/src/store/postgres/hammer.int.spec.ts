import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { NO_STREAM, type RecordedEvent, type StreamHead } from '../../events/recorded-event.js';
import { newAppend, newEvent, newId, wholeLog, wholeStream } from '../../testing/new-events.js';
import { followLog } from '../log-tail.js';
import type { AppendResult, TranscriptStore } from '../transcript-store.js';
import { verifyStream } from '../verify-stream.js';
import { LocalWakeUp } from '../wake-up.js';
import { openTestLog, type TestLog } from './testing/open-test-log.js';

const patience = 120_000;
const storeCount = 4;
const writersPerStore = 6;
const appendsPerWriter = 25;

describe('four stores over one log', () => {
  let log: TestLog;
  beforeAll(async () => {
    log = await openTestLog();
  }, patience);
  afterAll(() => log.close());

  it(
    '[LOG-2] [E01] [E03] tear nothing, lose nothing and deliver nothing twice on hot streams, while connections are killed',
    async () => {
      const streams = Array.from({ length: 8 }, newId);
      const logs = await Promise.all(Array.from({ length: storeCount }, () => log.open(3)));
      const stores = logs.map(({ store }) => store);
      const recorded: { ids: string[] }[] = [];
      const done = new AbortController();
      const readers = Array.from({ length: 3 }, (_, index) =>
        readAll(stores[index]!, done.signal, 20 + index * 13),
      );
      const killer = killConnections(log.url, done.signal);
      const writers = stores.flatMap((store) =>
        Array.from({ length: writersPerStore }, (_, index) => writeMany(store, streams, index, recorded)),
      );
      await Promise.all(writers);
      done.abort();
      await killer;
      const whole = await wholeLog(log.store);
      const expected = recorded.flatMap(({ ids }) => ids).toSorted();
      expect(whole.map((event) => event.id).toSorted()).toEqual(expected);
      for (const seen of await Promise.all(readers))
        expect(seen).toEqual(whole.slice(0, seen.length).map((event) => event.id));
      for (const stream of streams) await expectWholeAppends(log.store, stream, recorded);
    },
    patience,
  );

  it(
    '[E15] with a pool of two connections, 40 appends, keys and reads at once all end',
    async () => {
      const { store } = await log.open(2);
      const works = Array.from({ length: 40 }, async (_, index) => {
        const idempotency = index % 2 === 0 ? { key: newId(), bodyHash: 'ab'.repeat(32) } : undefined;
        const request = newAppend({ events: [newEvent(), newEvent()], ...(idempotency && { idempotency }) });
        const result = await store.append(request);
        return result.ok && (await wholeStream(store, request.stream)).length === 2;
      });
      expect(await Promise.all(works)).toEqual(Array.from({ length: 40 }, () => true));
    },
    patience,
  );
});

async function writeMany(
  store: TranscriptStore,
  streams: string[],
  seed: number,
  recorded: { ids: string[] }[],
): Promise<void> {
  for (let count = 0; count < appendsPerWriter; count += 1) {
    const stream = streams[(seed + count * 5) % streams.length]!;
    const rest = Array.from({ length: (seed + Math.trunc(count / 3)) % 4 }, () => newEvent());
    const events = [newEvent(), ...rest] as const;
    let result: AppendResult = { ok: false, reason: 'conflict', version: 0 };
    while (!result.ok && result.reason === 'conflict') {
      const expected = await headAt(store, stream, result.version);
      result = await store.append(newAppend({ stream, expected, events }));
    }
    recorded.push({ ids: events.map((event) => event.id) });
  }
}

async function headAt(store: TranscriptStore, stream: string, version: number): Promise<StreamHead> {
  if (version === 0) return NO_STREAM;
  const { events } = await store.readStream(stream, version - 1, 1);
  return { version, hash: events[0]!.hash };
}

// Resumes from its last place after each page, as a client does that comes back.
async function readAll(store: TranscriptStore, signal: AbortSignal, limit: number): Promise<string[]> {
  const seen: RecordedEvent[] = [];
  while (!signal.aborted) {
    const after = seen.at(-1)?.place ?? null;
    for await (const page of followLog(store, after, {
      wakeUp: new LocalWakeUp(),
      signal,
      pollMs: 5,
      limit,
    })) {
      seen.push(...page.events);
      break;
    }
  }
  return seen.map((event) => event.id);
}

async function killConnections(url: string, signal: AbortSignal): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  while (!signal.aborted) {
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() order by random() limit 1`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  await client.end();
}

async function expectWholeAppends(
  store: TranscriptStore,
  stream: string,
  recorded: { ids: string[] }[],
): Promise<void> {
  expect(await verifyStream(store, stream)).toMatchObject({ ok: true });
  const versions = new Map((await wholeStream(store, stream)).map((event) => [event.id, event.version]));
  for (const { ids } of recorded.filter((append) => versions.has(append.ids[0]!))) {
    const first = versions.get(ids[0]!)!;
    expect(ids.map((id) => versions.get(id))).toEqual(ids.map((_, index) => first + index));
  }
}
