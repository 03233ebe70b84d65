import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createReadStream } from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { formatLogCursor, importFile, type LogPlace, type TranscriptStore } from '#transcripts';
import { event, newId } from '#transcripts/testing';
import { until } from '../../../../test/support/e2e/processes.js';
import { LogCursors } from '../log/log-cursors.js';
import { ArchiveHarness, type Family } from '../operate/archive/testing/archive-harness.js';
import { parseStreamRequest } from './event-filter.js';
import { EventHub } from './event-hub.js';
import { serveStream, startPlace, type StreamStart } from './serve-stream.js';
import { SubjectIndex } from './subject-index.js';

jest.setTimeout(120_000);

const tenant = 'tenant-a';

/** What a client was sent, and whether its stream has ended. */
interface Taken {
  text: string;
  hasEnded: boolean;
}

describe('a cursor from before something was archived', () => {
  let harness: ArchiveHarness;
  let hub: EventHub;
  let server: Server;
  /** Holds up the tail while it is set. */
  let gate: Promise<void> | null;
  let family: Family;
  let staying: Family;
  let start: string;
  let beforeServed: (() => Promise<void>) | null;

  beforeAll(async () => {
    harness = await ArchiveHarness.open();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    [gate, beforeServed] = [null, null];
    await harness.openSession();
    await harness.untilRead();
    start = await cursorAt(await harness.store.logEnd());
    family = await harness.endedFamily(1);
    staying = await harness.endedFamily(1);
    const store = gated(harness.store);
    hub = new EventHub(store, harness.log.wakeUp, new SubjectIndex(store), () => undefined);
    await hub.start();
    const { store: own } = harness;
    const rooms = {
      store: own,
      hub,
      roster: { unfinished: () => Promise.resolve([]) },
      onFault: (thrown: unknown) => {
        throw thrown;
      },
      onTooSlow: () => undefined,
    };
    server = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://localhost');
      const { jsonl, as = tenant, ...query } = Object.fromEntries(searchParams);
      const asked: StreamStart = {
        request: parseStreamRequest(query),
        principal: { keyId: 'spec', tenant: as, scopes: new Set(['observe']) },
        asJsonLines: jsonl !== undefined,
        onRevoked: () => () => undefined,
        lastEventId: undefined,
      };
      void (async () => {
        const place = await startPlace(own, asked);
        await beforeServed?.();
        response.writeHead(200).flushHeaders();
        await serveStream(rooms, asked, place, response);
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await hub.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const cursorAt = async (place: LogPlace | null): Promise<string> =>
    place === null ? '' : formatLogCursor(await harness.store.logId(), place);
  const gated = (store: TranscriptStore): TranscriptStore =>
    new Proxy(store, {
      get: (target, name) => {
        if (name === 'readLog')
          return async (...given: Parameters<TranscriptStore['readLog']>) => {
            await gate;
            return target.readLog(...given);
          };
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  const archive = (of: Family) => harness.archive({ sessions: [of.session] });
  const follow = (query: Readonly<Record<string, string>>): Taken => {
    const taken = { text: '', hasEnded: false };
    const { port } = server.address() as AddressInfo;
    const path = `/?${new URLSearchParams(query).toString()}`;
    get({ port, host: '127.0.0.1', path, agent: false }, (response) => {
      response.setEncoding('utf8').on('data', (chunk: string) => (taken.text += chunk));
      response.on('close', () => (taken.hasEnded = true)).on('error', () => undefined);
    }).on('error', () => undefined);
    return taken;
  };
  const gapsIn = ({ text }: Taken): readonly { reason: string; resume: string }[] =>
    [...text.matchAll(/^event: gap\ndata: (.*)$/gm)].map(
      ([, data = '']) => JSON.parse(data) as { reason: string; resume: string },
    );
  const untilSent = (taken: Taken, what: string) =>
    until(what, () => Promise.resolve(taken.text.includes(what)));

  it('is told of the gap, gets what is still there, and resumes without one from where it is told', async () => {
    await archive(family);
    const taken = follow({ after: start });
    await untilSent(taken, `"subject":"${staying.session}"`);
    const [gap] = gapsIn(taken);
    expect(gapsIn(taken)).toEqual([{ reason: 'expired', resume: expect.any(String) }]);
    expect(taken.text).not.toContain(family.session);
    const resumed = follow({ after: gap?.resume ?? '' });
    await untilSent(resumed, 'event: level');
    expect(gapsIn(resumed)).toEqual([]);
  });

  it('is told the same as a line of JSON where it asked for lines', async () => {
    await archive(family);
    const taken = follow({ after: start, jsonl: '1' });
    await untilSent(taken, staying.session);
    expect(JSON.parse(taken.text.split('\n')[0] ?? '')).toMatchObject({
      type: 'dev.offshoot.gap',
      data: { reason: 'expired', resume: expect.any(String) },
    });
  });

  it('is told nothing where nothing that it asked for is missing: of another tenant, session or agent', async () => {
    await archive(family);
    const others = [
      { after: start, as: 'tenant-b' },
      { after: start, session: staying.session },
      { after: start, agent: staying.forks[0] ?? '' },
      { after: await cursorAt(await harness.store.logEnd()) },
    ];
    for (const query of others) {
      const taken = follow(query);
      await untilSent(taken, 'event: level');
      expect(gapsIn(taken)).toEqual([]);
    }
    for (const query of [{ session: family.session }, { agent: family.forks[0] ?? '' }]) {
      const taken = follow({ after: start, ...query });
      await untilSent(taken, 'event: gap');
    }
  });

  it('is told in the middle of catching up, when that is when it happens', async () => {
    beforeServed = async () => {
      await archive(family);
    };
    const taken = follow({ after: start });
    await untilSent(taken, `"subject":"${staying.session}"`);
    expect(gapsIn(taken)).toMatchObject([{ reason: 'expired' }]);
    expect(taken.text).not.toContain(family.session);
  });

  it('[OPS-2] of a client of the tail, which had not come to it, is told of when the client comes back', async () => {
    const taken = follow({});
    await until('the client', () => Promise.resolve(hub.size === 1));
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => (open = resolve));
    await harness.record(await harness.openSession(), event.messageAppended({ run: false }));
    const missed = await harness.endedFamily(1);
    await archive(missed);
    open();
    await harness.openSession();
    await until('the end of the stream', () => Promise.resolve(taken.hasEnded));
    const last = /^id: (.*)$/gm.exec(taken.text)?.[1] ?? start;
    const resumed = follow({ after: last });
    await untilSent(resumed, 'event: gap');
    expect(resumed.text).not.toContain(missed.session);
  });

  it('stays a cursor of this log when the last event of it was archived, and so does every checkpoint', async () => {
    const last = await harness.endedFamily(1);
    const end = await cursorAt(await harness.store.logEnd());
    await archive(last);
    expect(await cursorAt(await harness.store.logEnd())).toBe(end);
    const taken = follow({ after: end });
    await untilSent(taken, 'event: level');
    expect(gapsIn(taken)).toEqual([]);
    expect(await harness.findings()).toEqual([]);
  });

  it('is expired in a transcript that was archived and brought back, whose events stand elsewhere since', async () => {
    const cursors = new LogCursors(harness.store);
    const [fork = ''] = family.forks;
    const [other = ''] = staying.forks;
    const cursorOf = async (version: number): Promise<string> => {
      const [event] = (await harness.store.readStream(fork, version - 1, 1)).events;
      return event === undefined ? '' : cursorAt(event.place);
    };
    const old = await cursorOf(1);
    expect(await cursors.versionAt(old, fork, tenant)).toEqual({ ok: true, version: 1 });
    await archive(family);
    const file = join(harness.folder, `${family.session}.jsonl`);
    await importFile({ store: harness.store, pool: harness.pool, newId }, () => createReadStream(file));
    await harness.untilRead();
    expect(await cursors.versionAt(old, fork, tenant)).toEqual({ ok: false, reason: 'expired' });
    expect(await cursors.versionAt(await cursorOf(2), fork, tenant)).toEqual({ ok: true, version: 2 });
    expect(await cursors.versionAt(old, other, tenant)).toEqual({ ok: true, version: 0 });
  });
});
