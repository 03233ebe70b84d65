import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import {
  formatLogCursor,
  type LogPlace,
  NO_STREAM,
  openPostgresLog,
  type PostgresLog,
  type RecordedEvent,
} from '#transcripts';
import { newEvent, newId } from '#transcripts/testing';
import { openSession } from '../support/e2e/agents.js';
import { EventReader } from '../support/e2e/event-reader.js';
import { freePort } from '../support/e2e/free-port.js';
import { rawRequest } from '../support/e2e/raw-request.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(240_000);

describe('event streams over a running orchestrator', () => {
  let system: TestSystem;
  let log: PostgresLog;
  let tenant: string;
  let sessionId: string;
  /** Connected from the beginning to the end of this spec. */
  let idle: EventReader;

  beforeAll(async () => {
    system = await startSystem({ workers: 0, port: await freePort() });
    log = await openPostgresLog({ url: system.databaseUrl });
    sessionId = await openSession(system.api, { projectRoot: '/', model: 'scripted:none' });
    tenant = (await log.store.readStream(sessionId)).events[0]?.tenant ?? '';
    idle = reader('?agent=00000000-0000-7000-8000-000000000000');
    await idle.start();
  });
  afterAll(async () => {
    await idle.stop();
    await log.close();
    await system.stop();
  });

  const reader = (query = '', after?: string): EventReader =>
    new EventReader({
      address: system.api.address,
      key: system.key,
      query,
      ...(after === undefined ? {} : { after }),
    });

  const cursorOf = async (place: LogPlace | null): Promise<string> =>
    formatLogCursor(await log.store.logId(), place ?? { generation: 1, xid: 0n, position: 0n });
  const end = async (): Promise<string> => cursorOf(await log.store.logEnd());

  /** Records one event on a stream of its own and answers it as it stands in the log. */
  async function record(data: string, type = 'SomethingNew'): Promise<RecordedEvent> {
    const stream = newId();
    const context = { actor: 'system:spec', tenant };
    const events = [newEvent({ data, type })] as const;
    const result = await log.store.append({ stream, expected: NO_STREAM, events, context });
    expect(result.ok).toBe(true);
    return (await log.store.readStream(stream)).events[0]!;
  }

  it('[S01] [OPS-2] two subscribers, one of them away while the orchestrator is killed, see the same whole sequence', async () => {
    const after = await end();
    const steady = reader('', after);
    const other = reader('', after);
    await Promise.all([steady.start(), other.start()]);
    const ids = [(await record('{}')).id];
    await other.until(() => other.seen.length === 1);
    await other.stop();
    for (let count = 0; count < 20; count += 1) ids.push((await record(`{"n":${count}}`)).id);
    const restarted = system.restartOrchestrator();
    for (let count = 0; count < 20; count += 1) ids.push((await record(`{"m":${count}}`)).id);
    await restarted;
    const back = reader('', other.seen[0]?.cursor);
    await back.start();
    await steady.until(() => steady.seen.length >= ids.length);
    await back.until(() => back.seen.length >= ids.length - 1);
    await Promise.all([steady.stop(), back.stop()]);
    expect(steady.seen.map(({ id }) => id)).toEqual(ids);
    expect([...other.seen, ...back.seen].map(({ id }) => id)).toEqual(ids);
    expect(steady.connections).toBeGreaterThan(1);
  });

  it('[S03] goes on at the fourth event of the log when three were read, and every event has the id of its place', async () => {
    const after = await end();
    const records: RecordedEvent[] = [];
    for (let count = 0; count < 6; count += 1) records.push(await record('{}'));
    const first = reader('', after);
    await first.start();
    await first.until(() => first.seen.length >= 3);
    await first.stop();
    const second = reader('', first.seen[2]?.cursor);
    await second.start();
    await second.until(() => second.seen.length >= 3);
    await second.stop();
    expect(second.seen.map(({ id }) => id)).toEqual(records.slice(3).map(({ id }) => id));
    const cursors = await Promise.all(records.map(({ place }) => cursorOf(place)));
    expect([...first.seen.slice(0, 3), ...second.seen].map(({ cursor }) => cursor)).toEqual(cursors);
  });

  it.each([
    [
      'future',
      () => log.store.logEnd().then((place) => cursorOf({ ...place!, xid: place!.xid + 10n ** 9n })),
    ],
    [
      'future',
      () => log.store.logEnd().then((place) => cursorOf({ ...place!, generation: place!.generation + 1 })),
    ],
    ['foreign', () => log.store.logEnd().then((place) => formatLogCursor(newId(), place!))],
  ] as const)(
    'a %s cursor is answered with a gap that says where to go on, never with silence',
    async (reason, cursor) => {
      const text = await openingOf({ 'last-event-id': await cursor() });
      const gap = /event: gap\ndata: (.+)/.exec(text)?.[1] ?? '{}';
      const { resume, ...rest } = JSON.parse(gap) as { readonly resume: string };
      expect(rest).toEqual({ reason });
      const event = await record('{}');
      const resumed = reader('', resume);
      await resumed.start();
      await resumed.until(() => resumed.seen.length > 0);
      await resumed.stop();
      expect(resumed.seen[0]?.id).toBe(event.id);
    },
  );

  /** The first frames of a stream, up to the level signal. */
  function openingOf(headers: Readonly<Record<string, string>>): Promise<string> {
    return new Promise((resolve, reject) => {
      const options = { headers: { authorization: `Bearer ${system.key}`, ...headers }, agent: false };
      get(`${system.api.address}/v1/events`, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          if (!/event: level\ndata: .*\n\n/.test(text)) return;
          response.destroy();
          resolve(text);
        });
      }).once('error', reject);
    });
  }

  it('[S09] tells proxies not to buffer, is not compressed, and beats while nothing happens', async () => {
    const headers = await new Promise((resolve, reject) => {
      const request = get(
        `${system.api.address}/v1/events`,
        {
          headers: { authorization: `Bearer ${system.key}`, 'accept-encoding': 'gzip, br' },
          agent: false,
        },
        (response) => {
          resolve(response.headers);
          response.destroy();
        },
      );
      request.once('error', reject);
    });
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(headers).not.toHaveProperty('content-encoding');
    await idle.until(() => idle.comments > 0);
    expect(idle.seen).toEqual([]);
  });

  it('[S10] one connection carries 200 agents by filter, and nothing of the others', async () => {
    const after = await end();
    const records: RecordedEvent[] = [];
    for (let count = 0; count < 400; count += 20)
      records.push(...(await Promise.all(Array.from({ length: 20 }, () => record('{}')))));
    const wanted = records.filter((_, index) => index % 2 === 0);
    const one = reader(`?agent=${wanted.map(({ stream }) => stream).join(',')}`, after);
    await one.start();
    await one.until(() => one.seen.length >= wanted.length);
    const last = await record('{}');
    const all = reader('', after);
    await all.start();
    await all.until(() => all.seen.some(({ id }) => id === last.id));
    await Promise.all([one.stop(), all.stop()]);
    expect(one.seen.map(({ subject }) => subject).toSorted()).toEqual(
      wanted.map(({ stream }) => stream).toSorted(),
    );
  });

  it.each([
    ['a carriage return', 'a\rb'],
    ['an event of its own', 'x\n\nevent: AgentCompleted\ndata: {}\n\n'],
    ['an id of its own', '\r\nid: 7\r\ndata: {"type":"AgentCompleted"}\r\n\r\n'],
    ['separators of Unicode', 'a\u2028b\u2029c\u0085d'],
    ['a NUL and a BOM', '\u0000\uFEFF'],
  ])('[S12] %s in a text stays text of the one event', async (_what, text) => {
    const after = await end();
    const event = await record(JSON.stringify({ text }));
    const next = await record('{}');
    const one = reader('', after);
    await one.start();
    await one.until(() => one.seen.length >= 2);
    await one.stop();
    expect(one.seen.map(({ id }) => id)).toEqual([event.id, next.id]);
    expect((JSON.parse(one.seen[0]?.text ?? '{}') as { data: unknown }).data).toEqual({ text });
    expect(one.signals).toEqual(['level']);
  });

  it('[S14] no key, a wrong key, an agent of nobody and a cursor that is none are refused before the stream begins', async () => {
    const answers = await Promise.all([
      rawRequest(system, '/v1/events', { withKey: false }),
      rawRequest(system, '/v1/events', { withKey: false, headers: { authorization: 'Bearer wrong' } }),
      rawRequest(system, `/v1/agents/${newId()}/events`),
      rawRequest(system, '/v1/events', { headers: { 'last-event-id': 'none' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 404, 422]);
    for (const { headers } of answers) expect(headers['content-type']).toContain('application/problem+json');
  });

  it('[LOG-3] [E06] [E08] [E09] [E11] any JSON text is the same text in the store, in the transcript and in the stream', async () => {
    const after = await end();
    const texts = [
      '{"r":"a\\u0000b","s":"\\\\u0000"}',
      '{"r":"\\ud800 \\udfff","z":1,"a":2,"bb":3}',
      '{"n":1.10,"e":1e2,"m":-0,"w":9007199254740993,"x":1e400}',
      '{"a":1,"a":2,"__proto__":{"b":1},"1":0,"0":1}',
      `{"deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      ...fc.sample(fc.json({ maxDepth: 6 }), 40).map((text) => `{"any":${text}}`),
    ];
    const records: RecordedEvent[] = [];
    for (const text of texts) records.push(await record(text));
    const stream = reader('', after);
    await stream.start();
    await stream.until(() => stream.seen.length >= texts.length);
    await stream.stop();
    for (const [index, text] of texts.entries()) {
      expect(records[index]?.data).toBe(text);
      expect(stream.seen[index]?.text.endsWith(`,"data":${text}}`)).toBe(true);
      expect(await transcriptText(records[index]!.stream)).toContain(`"data":${text}`);
    }
  });

  /** The answer of the transcript route as text: parsing it would lose what is looked for. */
  async function transcriptText(stream: string): Promise<string> {
    const response = await fetch(`${system.api.address}/v1/agents/${stream}/transcript`, {
      headers: { authorization: `Bearer ${system.key}` },
    });
    return response.text();
  }

  it('[LOG-2] the feed names the backend that holds it back', async () => {
    const holder = new pg.Client({ connectionString: system.databaseUrl, application_name: 'forgotten' });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select pg_current_xact_id()');
    await record('{}');
    let feed: { heldForMs: number; holder: { application: string } | null };
    do {
      feed = await system.api.get('/v1/feed');
      await pause(20);
    } while (feed.holder?.application !== 'forgotten' || feed.heldForMs === 0);
    await holder.end();
    const answer = await rawRequest(system, '/v1/feed', { withKey: false });
    expect(answer.status).toBe(401);
  });
});
