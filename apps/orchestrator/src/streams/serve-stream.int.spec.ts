import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { formatLogCursor, LocalWakeUp, type LogPage, type LogPlace, NO_STREAM } from '#transcripts';
import { InMemoryTranscriptStore, newAppend, newEvent, newId } from '#transcripts/testing';
import { EventHub } from './event-hub.js';
import { parseStreamRequest } from './event-filter.js';
import { serveStream, startPlace, type StreamStart } from './serve-stream.js';
import { SubjectIndex } from './subject-index.js';

const heartbeatMs = 20;

/** A log that can be slow, that can fail, and that counts how often it is read. */
class TroubledStore extends InMemoryTranscriptStore {
  reads = 0;
  failsToRead = false;
  /** How long it takes to judge a cursor. */
  pauseMs = 0;

  override async readLog(after: LogPlace | null, limit?: number): Promise<LogPage> {
    this.reads += 1;
    if (this.failsToRead) throw new Error('The disk is gone.');
    return super.readLog(after, limit);
  }
}

describe('an event stream over a socket', () => {
  let store: TroubledStore;
  let wakeUp: LocalWakeUp;
  let hub: EventHub;
  let server: Server;
  let faults: unknown[];
  let tooSlow: number[];
  let revoke: (() => void) | undefined;
  let unfinished: { readonly id: string; readonly status: string }[];

  beforeEach(async () => {
    store = new TroubledStore();
    wakeUp = new LocalWakeUp();
    hub = new EventHub(store, wakeUp, new SubjectIndex(store), () => undefined);
    faults = [];
    tooSlow = [];
    unfinished = [];
    const rooms = {
      store,
      hub,
      roster: { unfinished: () => Promise.resolve(unfinished) },
      onFault: (thrown: unknown) => faults.push(thrown),
      onTooSlow: (unread: number) => tooSlow.push(unread),
      heartbeatMs,
    };
    server = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://localhost');
      const start: StreamStart = {
        request: parseStreamRequest(
          Object.fromEntries([...searchParams].filter(([name]) => !['as', 'lines'].includes(name))),
        ),
        principal: {
          keyId: 'spec',
          tenant: searchParams.get('as') ?? 'tenant-a',
          scopes: new Set(['observe']),
        },
        asJsonLines: searchParams.has('lines'),
        lastEventId: undefined,
        onRevoked: (listener) => {
          revoke = listener;
          return () => (revoke = undefined);
        },
      };
      void (async () => {
        const place = await startPlace(store, start);
        await pause(store.pauseMs);
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        await serveStream(rooms, start, place, response);
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await hub.start();
  });
  afterEach(async () => {
    await hub.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function record(data = '{}'): Promise<string> {
    const event = newEvent({ data });
    await store.append(newAppend({ stream: newId(), expected: NO_STREAM, events: [event] }));
    wakeUp.wake();
    return event.id;
  }

  function connect(query = ''): Promise<IncomingMessage> {
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      get({ port, host: '127.0.0.1', path: `/${query}`, agent: false }, resolve).once('error', reject);
    });
  }

  async function until(holds: () => boolean, timeoutMs = 60_000): Promise<void> {
    for (let waitedMs = 0; !holds() && waitedMs < timeoutMs; waitedMs += 5) await pause(5);
    expect(holds()).toBe(true);
  }

  /** Collects what a client is sent, as text. */
  function collect(response: IncomingMessage): { text: string; hasEnded: boolean } {
    const taken = { text: '', hasEnded: false };
    response.setEncoding('utf8').on('data', (chunk: string) => (taken.text += chunk));
    response.on('close', () => (taken.hasEnded = true)).on('error', () => undefined);
    return taken;
  }

  it('[S07] 300 clients that go at any moment, also before they are served, leave nothing behind', async () => {
    store.pauseMs = 8;
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = timers();
    const { port } = server.address() as AddressInfo;
    for (let count = 0; count < 300; count += 1) {
      const request = get({ port, host: '127.0.0.1', path: '/', agent: false }).on('error', () => undefined);
      setTimeout(() => request.destroy(), count % 40);
      if (count % 20 === 0) await pause(2);
    }
    await pause(60);
    await until(() => hub.size === 0 && timers() <= before);
    expect(hub.size).toBe(0);
    expect(faults).toEqual([]);
  });

  it('[S09] [S03] sends its first bytes before anything happens, and heartbeats that carry no id', async () => {
    const taken = collect(await connect());
    await until(() => taken.text.split(': heartbeat\n\n').length > 4);
    const [first] = taken.text.split('\n\n');
    expect(first).toMatch(/^retry: \d+$/);
    expect(taken.text).not.toContain('id:');
    const id = await record();
    await until(() => taken.text.includes(id));
    expect(taken.text.split('\n').filter((line) => line.startsWith('id: '))).toHaveLength(1);
  });

  it('[SEC-1] [S14] a stream ends with a frame of its own when the key that opened it is revoked', async () => {
    const seen = collect(await connect());
    await until(() => hub.size === 1);
    revoke?.();
    await until(() => seen.hasEnded);
    expect(seen.text.trimEnd().split('\n\n').at(-1)).toBe('event: failed\ndata: {"code":"UNAUTHENTICATED"}');
    expect(hub.size).toBe(0);
    expect(revoke).toBeUndefined();
  });

  it('[SEC-1] [S14] a stream of lines ends with a line of its own when the key that opened it is revoked', async () => {
    const seen = collect(await connect('?lines'));
    await until(() => hub.size === 1);
    revoke?.();
    await until(() => seen.hasEnded);
    expect(seen.text.trimEnd().split('\n').at(-1)).toBe(
      '{"type":"dev.offshoot.failed","data":{"code":"UNAUTHENTICATED"}}',
    );
    expect(hub.size).toBe(0);
  });

  it.each([
    ['', true],
    ['?level=true', true],
    ['?level=false', false],
    ['?lines', false],
    ['?lines&level=true', true],
    ['?lines&level=false', false],
  ])('begins with the unfinished agents where they were asked for: %p %p', async (query, isTold) => {
    const waiting = { id: newId(), status: 'waiting' };
    unfinished = [waiting];
    const taken = collect(await connect(query));
    await until(() => hub.size === 1);
    const id = await record();
    await until(() => taken.text.includes(id));
    expect(taken.text.includes(`"unfinished":[${JSON.stringify(waiting)}]`)).toBe(isTold);
    expect(taken.text.includes('dev.offshoot.level')).toBe(isTold && query.includes('lines'));
  });

  it('[S14] a stream that fails says so in a frame of its own and ends; the others go on', async () => {
    const steady = collect(await connect());
    await until(() => hub.size === 1);
    // More than the tail keeps, so that the second client must read the log by itself.
    for (let count = 0; count < 2_100; count += 1) await record();
    await until(() => steady.text.split('\nid: ').length > 2_099);
    const [oldest] = /(?<=^id: ).+$/m.exec(steady.text) ?? [''];
    store.failsToRead = true;
    const failing = collect(await connect(`?after=${oldest}`));
    const lines = collect(await connect(`?lines&after=${oldest}`));
    await until(() => failing.hasEnded && lines.hasEnded);
    store.failsToRead = false;
    expect(failing.text.trimEnd().split('\n\n').at(-1)).toBe('event: failed\ndata: {"code":"UNAVAILABLE"}');
    expect(lines.text.trimEnd().split('\n').at(-1)).toBe(
      '{"type":"dev.offshoot.failed","data":{"code":"UNAVAILABLE"}}',
    );
    expect(faults).toHaveLength(2);
    const id = await record();
    await until(() => steady.text.includes(id));
    expect(steady.hasEnded).toBe(false);
  });

  it('[S14] [SEC-1] a stream of another tenant gets nothing of these events, neither from the log nor from the tail nor by naming them', async () => {
    const past: string[] = [];
    for (let count = 0; count < 2_100; count += 1) past.push(await record());
    const [oldest] = (await store.readLog(null, 1)).events;
    const after = formatLogCursor(await store.logId(), oldest!.place);
    const own = collect(await connect(`?after=${after}`));
    const stranger = collect(await connect(`?as=tenant-b&after=${after}`));
    const naming = collect(await connect(`?as=tenant-b&after=${after}&agent=${oldest!.stream}`));
    await until(() => hub.size === 3, 20_000);
    const id = await record();
    await until(() => own.text.includes(id) && own.text.includes(past.at(-1) ?? ''));
    await until(() => [stranger, naming].every(({ text }) => text.includes(': heartbeat')));
    for (const { text } of [stranger, naming]) expect(text).not.toContain('id:');
  }, 60_000);

  it('[S05] a client that does not read is cut off with a reason, and resumes with nothing lost', async () => {
    const stalled = await connect();
    stalled.pause();
    await until(() => hub.size === 1);
    const text = JSON.stringify({ text: 'x'.repeat(60_000) });
    const ids: string[] = [];
    while (tooSlow.length === 0 && ids.length < 1_000) {
      ids.push(await record(text));
      if (ids.length % 20 === 0) await pause(30);
    }
    expect(tooSlow).toHaveLength(1);
    expect(tooSlow[0]).toBeLessThan(16 * 1024 * 1024);
    await until(() => hub.size === 0);
    const taken = collect(stalled);
    stalled.resume();
    await until(() => taken.hasEnded);
    const whole = taken.text.slice(0, taken.text.lastIndexOf('\n\n'));
    const last = whole.match(/(?<=^id: ).+$/gm)?.at(-1) ?? '';
    const resumed = collect(await connect(`?after=${last}`));
    await until(() => resumed.text.includes(ids.at(-1) ?? ''));
    const seen = [...`${whole}\n\n${resumed.text}`.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
    expect(seen).toEqual(ids);
  });

  it('[S05] what a client that does not read has still to catch up with stays in the log', async () => {
    const first = await record();
    const text = JSON.stringify({ text: 'x'.repeat(20_000) });
    const ids: string[] = [];
    while (ids.length < 700) ids.push(await record(text));
    const [event] = (await store.readLog(null, 1)).events;
    const after = formatLogCursor(await store.logId(), event!.place);
    const stalled = await connect(`?after=${after}`);
    stalled.pause();
    await pause(300);
    const [before, since] = [store.reads, performance.now()];
    await pause(300);
    // The tail polls once a second; the client that waits for its socket reads nothing.
    expect(store.reads - before).toBeLessThan(3 + (performance.now() - since) / 1_000);
    const taken = collect(stalled);
    stalled.resume();
    await until(() => taken.text.includes(ids.at(-1) ?? ''));
    const seen = [...taken.text.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
    expect(seen).toEqual(ids.filter((id) => id !== first));
    stalled.destroy();
  }, 60_000);
});
