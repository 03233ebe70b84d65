import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchFork, openSession, recordsOf, untilEnded, untilRecorded } from '../support/e2e/agents.js';
import { queueBackends } from '../support/e2e/queue-backends.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

const many = 80;
const slots = 4;
const script = { rules: [{ answer: { text: 'Done.' }, delivery: { delayMs: 300 } }] };

describe.each(queueBackends(12))('with the queue on $backend', ({ redisUrl }) => {
  let system: TestSystem;
  let workspace: string;

  beforeAll(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-fair-'));
    const operator = { concurrency: { perModel: { 'scripted:narrow': 1 } } };
    const queue = redisUrl === undefined ? {} : { redisUrl };
    system = await startSystem({ workers: 1, concurrency: slots, operator, ...queue });
    await system.models.script('fair', script);
    await system.models.script('narrow', script);
  });
  afterAll(async () => {
    await system.stop();
    await rm(workspace, { recursive: true });
  });

  const open = (model = 'scripted:fair') => openSession(system.api, { projectRoot: workspace, model });
  const startOf = async (agentId: string): Promise<string> =>
    (await untilRecorded(system.api, agentId, 'RunStarted')).at;

  it('a session with many forks does not starve one with a single fork', async () => {
    const [crowd, lonely] = [await open(), await open()];
    const forks = await Promise.all(
      Array.from({ length: many }, () => launchFork(system.api, crowd, 'one of many')),
    );
    const single = await launchFork(system.api, lonely, 'the only one');
    await untilEnded(system.api, single);
    const started = await startOf(single);
    const crowdStarts = await Promise.all(
      forks.map(
        async (id) => (await recordsOf(system.api, id)).find(({ type }) => type === 'RunStarted')?.at,
      ),
    );
    const before = crowdStarts.filter((at) => at !== undefined && at < started);
    // Without fairness it would be all of them. What may be ahead: what runs, what is on its way, what ran until it was launched.
    expect(before.length).toBeLessThan(many / 2);
    for (const id of forks) expect((await untilEnded(system.api, id)).status).toBe('completed');
  });

  it('a model runs no more agents at once than the operator allows', async () => {
    const session = await open('scripted:narrow');
    const forks = await Promise.all(
      Array.from({ length: 5 }, () => launchFork(system.api, session, 'one by one')),
    );
    for (const id of forks) await untilEnded(system.api, id);
    const spans = await Promise.all(
      forks.map(async (id) => {
        const records = await recordsOf(system.api, id);
        const at = (type: string) => records.find((record) => record.type === type)?.at ?? '';
        return [at('RunStarted'), at('AgentCompleted')] as const;
      }),
    );
    const ordered = [...spans].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [index, [start]] of ordered.entries())
      if (index > 0) expect(start > (ordered[index - 1]?.[1] ?? '')).toBe(true);
  });
});
