import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEphemeralPostgres } from '#platform';
import { openPostgresLog, type RecordedEvent } from '#transcripts';
import { wholeLog } from '#transcripts/testing';
import { launchFork, openSession, recordsOf, untilEnded } from '../support/e2e/agents.js';
import { EventReader } from '../support/e2e/event-reader.js';
import { until } from '../support/e2e/processes.js';
import { restoreDatabase } from '../support/e2e/restore-database.js';
import { runCli } from '../support/e2e/run-cli.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(600_000);

const script = { rules: [{ answer: { text: 'Nothing to do.' } }] };

describe('a log that was dumped while readers held cursors, and restored into another cluster', () => {
  let workspace: string;
  let cluster: Awaited<ReturnType<typeof startEphemeralPostgres>>;
  let system: TestSystem;
  let sessionId: string;
  let waiting: string;
  let dumped: readonly RecordedEvent[];
  let early: EventReader;
  let late: EventReader;

  beforeAll(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-restored-'));
    cluster = await startEphemeralPostgres();
    const before = await startSystem({ workers: 1 });
    await before.models.script('idle', script);
    late = readerOf(before);
    early = readerOf(before);
    await Promise.all([late.start(), early.start()]);
    sessionId = await openSession(before.api, { projectRoot: workspace, model: 'scripted:idle' });
    await early.until(() => early.seen.length > 0);
    await early.stop();
    // Transaction ids of the old cluster are far ahead of those that the new one will give.
    await spendTransactions(before.databaseUrl, 3_000);
    const done = await launchFork(before.api, sessionId, 'Do nothing.');
    await untilEnded(before.api, done);
    await untilTold(before, 1);
    await late.until(() => late.seen.some(({ type }) => type === 'OutcomeDelivered'));
    for (const pid of await before.workers()) process.kill(pid, 'SIGSTOP');
    waiting = await launchFork(before.api, sessionId, 'Do nothing either.');
    await restoreDatabase(before.databaseUrl, cluster.url);
    // What the old system does after the dump is not in the new one; its readers saw it all the same.
    await openSession(before.api, { projectRoot: workspace, model: 'scripted:idle' });
    await late.until(() => late.seen.filter(({ type }) => type === 'SessionOpened').length > 1);
    await late.stop();
    for (const pid of await before.workers()) process.kill(pid, 'SIGCONT');
    await before.stop();
    system = await startSystem({ workers: 1, databaseUrl: cluster.url });
    // What the old cluster recorded; until the start above nobody could tell whether it was finished there.
    dumped = (await eventsOf(cluster.url)).filter(({ place }) => place.generation === 1);
    await system.models.script('idle', script);
  });
  afterAll(async () => {
    await system.stop();
    await cluster.stop();
    await rm(workspace, { recursive: true, force: true });
  });

  const readerOf = ({ api, key }: TestSystem, after?: string): EventReader =>
    new EventReader({ address: api.address, key, ...(after === undefined ? {} : { after }) });

  async function spendTransactions(url: string, count: number): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      `do $$ begin for n in 1..${count} loop perform pg_current_xact_id(); commit; end loop; end $$`,
    );
    await client.end();
  }

  async function eventsOf(url: string): Promise<readonly RecordedEvent[]> {
    const log = await openPostgresLog({ url });
    const events = await wholeLog(log.store);
    await log.close();
    return events;
  }

  const toldOf = async ({ api }: TestSystem): Promise<readonly unknown[]> =>
    (await recordsOf(api, sessionId))
      .filter(({ type }) => type === 'OutcomeDelivered')
      .map(({ data }) => data['agentId']);
  const untilTold = (of: TestSystem, count: number): Promise<void> =>
    until(`${count} outcomes`, async () => (await toldOf(of)).length >= count);

  it('[OPS-1] [RUN-5] goes on with what waited, under a new generation, and tells nothing a second time', async () => {
    expect((await untilEnded(system.api, waiting)).status).toBe('completed');
    await untilTold(system, 2);
    const told = await toldOf(system);
    expect(new Set(told).size).toBe(2);
    expect(told).toHaveLength(2);
    const fresh = (await eventsOf(cluster.url)).slice(dumped.length);
    expect(new Set(fresh.map(({ place }) => place.generation))).toEqual(new Set([2]));
  });

  it('[LOG-2] [E01] [S01] gives a reader that comes back with its old cursor what it had not seen, each event once, old and new', async () => {
    const whole = await eventsOf(cluster.url);
    const back = readerOf(system, early.seen.at(-1)?.cursor);
    await back.start();
    await back.until(() => back.seen.some(({ id }) => id === whole.at(-1)?.id));
    await back.stop();
    expect([...early.seen, ...back.seen].map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
  });

  it('[LOG-2] a cursor behind the end of the dump misses nothing of what is recorded here', async () => {
    const known = new Set(dumped.map(({ id }) => id));
    expect(late.seen.filter(({ id }) => !known.has(id))).not.toEqual([]);
    const whole = await eventsOf(cluster.url);
    const back = readerOf(system, late.seen.at(-1)?.cursor);
    await back.start();
    await back.until(() => back.seen.some(({ id }) => id === whole.at(-1)?.id));
    await back.stop();
    expect(back.seen.map(({ id }) => id)).toEqual(whole.slice(dumped.length).map(({ id }) => id));
  });

  it('[LOG-3] leaves chains that verify and read models that equal a fresh fold', async () => {
    const answer = await runCli(['doctor', '--json'], { DATABASE_URL: cluster.url });
    expect(JSON.parse(answer.stdout)).toMatchObject({ findings: [] });
  });
});
