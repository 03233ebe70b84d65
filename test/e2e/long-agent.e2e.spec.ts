import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { formatLogCursor, openPostgresLog, type PostgresLog } from '#transcripts';
import { launchFork, openSession, untilEnded } from '../support/e2e/agents.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { peakMemoryMb } from '../support/e2e/processes.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';
import { fillLongAgent } from '../support/long-agent/fill-long-agent.js';
import { openEvents, readTranscript, readVersions } from '../support/long-agent/read-versions.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

jest.setTimeout(1_800_000);

const mega = 1024 * 1024;
const isFull = process.env['OFFSHOOT_LONG_AGENT'] === 'full';
/** A tenth by itself; the whole with `npm run test:long`. */
const long = isFull
  ? { events: 200_000, bytes: 500 * mega, liveBytes: 18 * mega }
  : { events: 20_000, bytes: 50 * mega, liveBytes: 12 * mega };
const heapMb = 256;
const stalledReaders = 7;

describe(`an agent of ${long.events} events and ${long.bytes / mega} MB, in processes with a heap of ${heapMb} MB`, () => {
  let database: TestDatabase;
  let log: PostgresLog;
  let system: TestSystem;
  let agent: string;
  let worker: number;
  let orchestrator: number;
  const seconds: Record<string, number> = {};

  beforeAll(async () => {
    database = await createTestDatabase();
    const before = await startSystem({ workers: 0, databaseUrl: database.url });
    const session = await openSession(before.api, { projectRoot: '/', model: 'scripted:long' });
    agent = await launchFork(before.api, session, 'Read all parts.');
    await before.stop();
    log = await openPostgresLog({ url: database.url });
    await timed('filling it', () => fillLongAgent(log.store, agent, long));
    const limits = { maxTurns: 1_000_000, maxToolCalls: 1_000_000 };
    system = await startSystem({ workers: 1, databaseUrl: database.url, heapMb, operator: { limits } });
    await system.models.script('long', { window: 20_000_000, rules: [{ answer: { text: 'All read.' } }] });
    orchestrator = await system.orchestrator();
    worker = (await system.workers())[0] ?? 0;
  });
  afterAll(async () => {
    await system.stop();
    await log.close();
    await database.drop();
    if (isFull) process.stderr.write(`${JSON.stringify(seconds)}\n`);
  });

  async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    seconds[what] = Math.round((performance.now() - start) / 100) / 10;
    return result;
  }

  it('[E17] is revived: its call is answered, and the model is asked with what the last compaction left', async () => {
    const { status, epoch, usage } = await timed('reviving it', () =>
      untilEnded(system.api, agent, 1_200_000),
    );
    expect([status, epoch]).toEqual(['completed', 2]);
    const [request, ...more] = await requestsOf(system.models, agent);
    expect(more).toEqual([]);
    expect(request?.status).toBe(200);
    const body = request?.body ?? '';
    expect(body.length).toBeGreaterThan(long.liveBytes / 2);
    expect(body.length).toBeLessThan(20 * mega);
    expect(body).toContain('The parts before');
    expect(body).not.toContain('src/part-1.txt');
    // The turn that was cut off, before the one that it ended with.
    expect(body).toContain(`src/part-${usage.turns - 1}.txt`);
    expect(await system.workers()).toEqual([worker]);
    seconds['MB of the worker'] = await peakMemoryMb(worker);
  });

  it('[E17] [S05] is read from its beginning as event stream, as JSONL and by pages at once, while others do not read', async () => {
    const { version: last = 0 } = (await log.store.readStream(agent, long.events)).events.at(-1) ?? {};
    const beginning = formatLogCursor(await log.store.logId(), { generation: 1, xid: 0n, position: 0n });
    const from = { 'last-event-id': beginning };
    const open = (): Promise<IncomingMessage> => openEvents(system, agent, from);
    const stalled = await Promise.all(Array.from({ length: stalledReaders }, open));
    for (const response of stalled) response.pause();
    const [frames, lines, pages] = await timed('reading it three times', async () =>
      Promise.all([
        readVersions(await open(), last),
        readVersions(await openEvents(system, agent, { ...from, accept: 'application/jsonl' }), last),
        readTranscript(system, agent),
      ]),
    );
    expect([frames, lines, pages]).toEqual([last, last, { version: last, longestPage: 500 }]);
    for (const response of stalled) response.destroy();
    expect(await system.orchestrator()).toBe(orchestrator);
    seconds['MB of the orchestrator'] = await peakMemoryMb(orchestrator);
  });
});
