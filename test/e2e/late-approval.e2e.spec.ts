import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { launchFork, openSession, recordsOf, untilEnded, untilRecorded } from '../support/e2e/agents.js';
import { pendingApprovals, untilAsked } from '../support/e2e/approvals.js';
import { PrivateRedis } from '../support/e2e/private-redis.js';
import { rawRequest } from '../support/e2e/raw-request.js';
import { type Replica, startReplica } from '../support/e2e/start-replica.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

jest.setTimeout(180_000);

const shell = (command: string) => ({ name: 'run_shell_command', arguments: { command } });
/** A batch of two: a call that needs nobody, and one that asks. */
const script = {
  rules: [
    {
      when: { toolResultsSinceLastUser: { atLeast: 1 } },
      answer: { text: 'Done: {{toolResult:0}} and {{toolResult:1}}' },
    },
    {
      when: { lastUserMatches: 'append (\\w+)' },
      answer: {
        toolCalls: [
          { name: 'read_file', arguments: { path: 'missing.txt' } },
          shell('echo {{match:1}} >> effect.log'),
        ],
      },
    },
  ],
};

interface WaitingFork {
  readonly agent: string;
  readonly approval: string;
}

const redis = await PrivateRedis.start();
if (redis === null && process.env['OFFSHOOT_REQUIRE_REDIS'] === '1')
  throw new Error('There is no redis-server on the PATH: its loss with an open approval cannot be tested.');
if (redis === null)
  process.stderr.write('\n*** No redis-server: its loss with an open approval is NOT tested. ***\n\n');

(redis === null ? describe.skip : describe)('an approval that is open while everything ends', () => {
  const queue = redis as PrivateRedis;
  let database: TestDatabase;
  let system: TestSystem;
  let replica: Replica;
  let workspace: string;
  let client: pg.Client;

  const start = async (): Promise<void> => {
    const operator = { approvalExpirySeconds: 8 * 3_600 };
    const shared = { databaseUrl: database.url, redisUrl: queue.url };
    system = await startSystem({ ...shared, workers: 2, operator });
    await system.models.script('late', script);
    replica = await startReplica({ ...shared, dataDir: system.dataDir });
  };
  const stop = async (): Promise<void> => {
    await replica.stop();
    await system.stop();
    await queue.kill();
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-late-'));
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await start();
  });
  afterAll(async () => {
    await client.end();
    await stop();
    await database.drop();
    await rm(workspace, { recursive: true });
  });

  /** Lets time go by for everything that looks at the clock of the database. */
  const wait = (hours: number): Promise<unknown> =>
    client.query(
      `update approval_inbox set requested_at = requested_at - make_interval(hours => $1),
         expires_at = expires_at - make_interval(hours => $1)`,
      [hours],
    );
  const decide = (id: string, decision: string) =>
    rawRequest(
      { api: { address: replica.address } as TestSystem['api'], key: system.key },
      `/v1/approvals/${id}`,
      {
        json: { decision },
      },
    );

  it('[C13] is answered six hours later, after API, workers and queue came back with nothing: the same batch goes on, once', async () => {
    const sessionId = await openSession(system.api, {
      projectRoot: workspace,
      model: 'scripted:late',
      approvalMode: 'default',
    });
    const launch = async (name: string): Promise<WaitingFork> => {
      const agent = await launchFork(system.api, sessionId, `append ${name}`);
      const [approval] = await untilAsked(system.api, [agent]);
      return { agent, approval: approval?.id ?? '' };
    };
    const forks = [await launch('allowed'), await launch('denied'), await launch('expired')] as const;
    const [allowed, denied, expired] = forks;
    const before = await Promise.all(forks.map(({ agent }) => recordsOf(system.api, agent)));
    expect(await queue.size()).toBeGreaterThan(0);

    await stop();
    await queue.start();
    expect(await queue.size()).toBe(0);
    await wait(6);
    await start();

    const open = await pendingApprovals(system.api);
    expect(open.map(({ id }) => id).sort()).toEqual(forks.map(({ approval }) => approval).sort());
    for (const [n, { agent }] of forks.entries())
      expect(await recordsOf(system.api, agent)).toEqual(before[n]);
    expect((await decide(allowed.approval, 'allow')).status).toBe(200);
    expect((await decide(denied.approval, 'deny')).status).toBe(200);
    expect((await untilEnded(system.api, allowed.agent)).outcome?.result).toMatch(/^Done: .*missing\.txt/);
    expect((await untilEnded(system.api, denied.agent)).status).toBe('completed');
    expect(await readFile(join(workspace, 'effect.log'), 'utf8')).toBe('allowed\n');

    await wait(3);
    await untilRecorded(system.api, expired.agent, 'ApprovalExpired');
    expect((await untilEnded(system.api, expired.agent)).status).toBe('completed');
    expect((await decide(expired.approval, 'allow')).body).toMatchObject({
      status: 409,
      detail: expect.stringContaining('has expired'),
    });
    expect(await readFile(join(workspace, 'effect.log'), 'utf8')).toBe('allowed\n');

    for (const fork of forks) {
      const records = await recordsOf(system.api, fork.agent);
      const namesOf = (type: string) =>
        records.filter((one) => one.type === type).map(({ data }) => data['name']);
      const shells = fork === allowed ? ['run_shell_command'] : [];
      expect(namesOf('ToolCallStarted')).toEqual(['read_file', ...shells]);
      // The batch of before, not a new one: two turns are all there is.
      expect(namesOf('TurnRecorded')).toHaveLength(2);
      expect(namesOf('RunStarted')).toHaveLength(2);
    }
  });
});
