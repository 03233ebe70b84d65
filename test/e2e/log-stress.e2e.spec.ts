import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { followLog, openPostgresLog, type PostgresLog, type RecordedEvent } from '#transcripts';
import { wholeLog } from '#transcripts/testing';
import { type BundledScript, bundleScript } from '../support/bundle-script.js';
import { openSession } from '../support/e2e/agents.js';
import { EventReader } from '../support/e2e/event-reader.js';
import { OwnPostgres } from '../support/e2e/own-postgres.js';
import { until as untilTrue } from '../support/e2e/processes.js';
import { type CliAnswer, runCli } from '../support/e2e/run-cli.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';
import type { AppendManyOrder } from '../support/stress/append-many.js';

jest.setTimeout(600_000);

const processes = 4;
const appendsPerProcess = 2_500;
const streamCount = 100;
/** For readers that are behind when the last append is confirmed. */
const catchUpMs = 120_000;

describe('10,000 appends of four processes over 100 streams, while everybody reads and PostgreSQL is restarted twice', () => {
  let server: OwnPostgres;
  let system: TestSystem;
  let script: BundledScript;
  let log: PostgresLog;
  let streams: readonly string[];
  const confirmed: string[] = [];
  const read: RecordedEvent[] = [];
  let steady: EventReader;
  let restless: EventReader;
  const rebuilds: CliAnswer[] = [];
  let whole: readonly RecordedEvent[];

  beforeAll(async () => {
    server = await OwnPostgres.start();
    script = await bundleScript(join(import.meta.dirname, '..', 'support', 'stress', 'append-many.ts'));
    system = await startSystem({ workers: 0, databaseUrl: server.url });
    streams = await Promise.all(
      Array.from({ length: streamCount }, () =>
        openSession(system.api, { projectRoot: '/', model: 'scripted:none' }),
      ),
    );
    log = await openPostgresLog({ url: server.url, onError: () => undefined });
    const opened = await wholeLog(log.store);
    const reach = { address: system.api.address, key: system.key };
    steady = new EventReader(reach);
    restless = new EventReader({ ...reach, hangsUpAfter: () => 700 });
    await Promise.all([steady.start(), restless.start()]);

    const done = new AbortController();
    const reading = readEverything(log, done.signal);
    const writing = Promise.all(Array.from({ length: processes }, (_, index) => runWriter(index)));
    const rebuilding = rebuild();
    await until(() => confirmed.length > 2_500);
    await restart('fast');
    await until(() => confirmed.length > 5_500);
    await restart('immediate');
    await Promise.all([writing, rebuilding]);
    const recorded = opened.length + confirmed.length;
    await untilSoon('the reader to have read it all', () => read.length >= recorded);
    await steady.until(() => steady.seen.length >= confirmed.length, catchUpMs);
    await restless.until(() => restless.seen.length >= confirmed.length, catchUpMs);
    done.abort();
    await reading;
    rebuilds.push(await runCli(['projections', 'rebuild'], { DATABASE_URL: server.url }));
    whole = (await wholeLog(log.store)).slice(opened.length);
  });
  afterAll(async () => {
    await steady.stop();
    await restless.stop();
    await log.close();
    await system.stop();
    await server.remove();
    await script.remove();
  });

  /** As long as the writing goes on, which has its own end. */
  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await pause(10);
  }

  const untilSoon = (what: string, holds: () => boolean): Promise<void> =>
    untilTrue(what, () => Promise.resolve(holds()), catchUpMs);

  async function restart(how: 'fast' | 'immediate'): Promise<void> {
    await server.stop(how);
    await server.startAgain();
  }

  async function runWriter(index: number): Promise<void> {
    const { tenant = '' } = (await log.store.readStream(streams[0] ?? '', 0, 1)).events[0] ?? {};
    const order: AppendManyOrder = {
      url: server.url,
      streams,
      tenant,
      appends: appendsPerProcess,
      writers: 8,
      process: index,
    };
    const child = spawn(process.execPath, [script.path, JSON.stringify(order)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    for await (const line of createInterface({ input: child.stdout })) confirmed.push(line);
    expect(await ended).toBe(0);
  }

  /** Builds the read models anew while everything goes on; what fails because the database is away is called again. */
  async function rebuild(): Promise<void> {
    await until(() => confirmed.length > 500);
    for (let succeeded = false; !succeeded;) {
      const answer = await runCli(['projections', 'rebuild'], { DATABASE_URL: server.url });
      succeeded = answer.code === 0;
      if (succeeded) rebuilds.push(answer);
    }
  }

  /** Follows the log from its beginning, and goes on from its last place whenever that fails. */
  async function readEverything({ store, wakeUp }: PostgresLog, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const after = read.at(-1)?.place ?? null;
        for await (const page of followLog(store, after, { wakeUp, signal })) read.push(...page.events);
      } catch {
        await pause(50);
      }
    }
  }

  it('[LOG-1] [LOG-2] loses nothing that was confirmed and records nothing twice', () => {
    expect(confirmed).toHaveLength(processes * appendsPerProcess);
    expect(whole.map(({ id }) => id).toSorted()).toEqual(confirmed.toSorted());
  });

  it('[E03] leaves versions without a hole in every stream', () => {
    for (const stream of streams) {
      const versions = whole.filter((event) => event.stream === stream).map(({ version }) => version);
      const first = versions[0] ?? 0;
      expect(versions).toEqual(versions.map((_, index) => first + index));
    }
  });

  it('[LOG-2] [E01] gives a reader that followed it all each event once, in the order of the log', () => {
    expect(read.slice(-whole.length).map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
  });

  it('[OPS-2] [S01] gives clients of the event stream the same, however often they were cut off', () => {
    const ids = whole.map(({ id }) => id);
    expect(steady.seen.map(({ id }) => id)).toEqual(ids);
    expect(restless.seen.map(({ id }) => id)).toEqual(ids);
    expect(restless.connections).toBeGreaterThan(5);
  });

  it('[LOG-2] [LOG-3] leaves chains that verify and read models that equal a fresh fold', async () => {
    expect(rebuilds.map(({ code }) => code)).toEqual([0, 0]);
    const answer = await runCli(['doctor', '--json'], { DATABASE_URL: server.url });
    expect(JSON.parse(answer.stdout)).toMatchObject({ agents: streamCount, findings: [] });
    expect(answer.code).toBe(0);
  });
});
