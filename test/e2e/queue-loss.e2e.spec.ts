import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchFork, openSession, recordsOf, untilEnded, untilRecorded } from '../support/e2e/agents.js';
import { PrivateRedis } from '../support/e2e/private-redis.js';
import { until } from '../support/e2e/processes.js';
import { rawRequest } from '../support/e2e/raw-request.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

/** Three commands, one after the other, so that a queue can be lost in between. */
const command = (n: number) => ({
  answer: {
    toolCalls: [
      { name: 'run_shell_command', arguments: { command: `sleep 1; echo ${n} >> {{match:1}}.log` } },
    ],
  },
});
const script = {
  rules: [0, 1, 2]
    .map((n): object => ({
      when: { lastUserMatches: 'work on (\\w+)', toolResultsSinceLastUser: n },
      ...command(n),
    }))
    .concat({ answer: { text: 'Done.' } }),
};

const redis = await PrivateRedis.start();
if (redis === null && process.env['OFFSHOOT_REQUIRE_REDIS'] === '1')
  throw new Error('There is no redis-server on the PATH: the loss of Redis cannot be tested.');
if (redis === null) process.stderr.write('\n*** No redis-server: the loss of Redis is NOT tested. ***\n\n');

(redis === null ? describe.skip : describe)('a Redis that is lost', () => {
  let system: TestSystem;
  let workspace: string;
  let sessionId: string;
  const queue = redis as PrivateRedis;

  beforeAll(async () => {
    system = await startSystem({ workers: 2, concurrency: 2, redisUrl: queue.url });
    await system.models.script('work', script);
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-queue-'));
    sessionId = await openSession(system.api, { projectRoot: workspace, model: 'scripted:work' });
  });
  afterAll(async () => {
    await system.stop();
    await queue.kill();
    await rm(workspace, { recursive: true });
  });

  const launch = (name: string): Promise<string> => launchFork(system.api, sessionId, `Do work on ${name}.`);

  /** Every fork ended, did each thing once, and was not interrupted by what happened to the queue. */
  async function expectUnharmed(names: readonly string[], agents: readonly string[]): Promise<void> {
    for (const [n, agent] of agents.entries()) {
      expect(await untilEnded(system.api, agent, 90_000)).toMatchObject({ status: 'completed', epoch: 1 });
      const log = await readFile(join(workspace, `${names[n] ?? ''}.log`), 'utf8');
      expect(log).toBe('0\n1\n2\n');
      const types = (await recordsOf(system.api, agent)).map(({ type }) => type);
      expect(types.filter((type) => type === 'RunStarted')).toHaveLength(1);
    }
  }

  it('[OPS-1] with everything in it, while forks run and more wait than there are places, costs nothing', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `emptied${n}`);
    const agents = await Promise.all(names.map(launch));
    await untilRecorded(system.api, agents[0] ?? '', 'RunStarted');
    expect(await queue.size()).toBeGreaterThan(0);
    await queue.empty();
    await expectUnharmed(names, agents);
  });

  it('[OPS-1] [Q06] by its death answers launches all the same, and what was launched runs when it is back', async () => {
    const before = ['before0', 'before1'];
    const started = performance.now();
    const running = await Promise.all(before.map(launch));
    const usualMs = performance.now() - started;
    await untilRecorded(system.api, running[1] ?? '', 'RunStarted');
    await queue.kill();
    const since = performance.now();
    const during = ['during0', 'during1', 'during2'];
    const launched = await Promise.all(during.map(launch));
    // The bound of the field case: accepted and durable within two seconds, where a launch is not slow anyway.
    expect(performance.now() - since).toBeLessThan(2_000 + 5 * usualMs);
    await until('the readiness to say so', async () => (await readiness()) === 503);
    await expectUnharmed(before, running);
    for (const agent of launched) expect(await statusOf(agent)).toBe('queued');
    await queue.start();
    await expectUnharmed(during, launched);
    await until('the readiness to come back', async () => (await readiness()) === 200);
  });

  const readiness = async (): Promise<number> => (await rawRequest(system, '/readyz')).status;
  const statusOf = async (agent: string): Promise<unknown> =>
    (await system.api.get<{ status: string }>(`/v1/agents/${agent}`)).status;
});
