import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchFork, openSession, recordsOf, untilEnded, untilRecorded } from '../support/e2e/agents.js';
import { until } from '../support/e2e/processes.js';
import { rawRequest } from '../support/e2e/raw-request.js';
import type { RecordedRequest } from '../support/e2e/scripted-models.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

const limit = 3;
/** Every agent asks twice, with a tool between the requests, and each answer takes its time. */
const script = {
  rules: [
    { when: { toolResultsSinceLastUser: 1 }, answer: { text: 'Done.' }, delivery: { delayMs: 1_000 } },
    {
      answer: { toolCalls: [{ name: 'list_directory', arguments: { path: '.' } }] },
      delivery: { delayMs: 1_000 },
    },
  ],
};

describe('a limit on the agents of a model, over two workers', () => {
  let system: TestSystem;
  let workspace: string;
  let before: number;

  beforeAll(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-limit-'));
    const perModel = { 'scripted:narrow': limit, 'scripted:gate': 1 };
    system = await startSystem({ workers: 2, concurrency: 8, operator: { concurrency: { perModel } } });
    await system.models.script('narrow', script);
    const slow = { answer: { text: 'At last.' }, delivery: { delayMs: 15_000 } };
    await system.models.script('gate', { rules: [slow] });
  });
  beforeEach(async () => {
    before = (await system.models.requests()).length;
  });
  afterAll(async () => {
    await system.stop();
    await rm(workspace, { recursive: true });
  });

  const launchMany = (session: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => launchFork(system.api, session, 'Look around.')));
  const requests = async (agents: readonly string[]): Promise<readonly RecordedRequest[]> =>
    (await system.models.requests())
      .slice(before)
      .filter(({ headers }) => agents.includes(headers['x-offshoot-agent'] ?? ''));

  it('bounds its requests at once: an agent asks one thing at a time', async () => {
    await until('two workers', async () => {
      const { items } = await system.api.get<{ items: readonly unknown[] }>('/v1/workers');
      return items.length === 2;
    });
    const sessions = await Promise.all(
      [1, 2].map(() => openSession(system.api, { projectRoot: workspace, model: 'scripted:narrow' })),
    );
    const forks = (await Promise.all(sessions.map((session) => launchMany(session, 8)))).flat();
    for (const fork of forks) expect((await untilEnded(system.api, fork)).status).toBe('completed');
    const records = (await Promise.all(forks.map((fork) => recordsOf(system.api, fork)))).flat();
    const workers = records.filter(({ type }) => type === 'RunStarted').map(({ data }) => data['workerId']);
    const atOnce = (await requests(forks)).map((request) => request.atOnce);

    expect(atOnce).toHaveLength(2 * forks.length);
    expect(Math.max(...atOnce)).toBe(limit);
    expect(new Set(workers).size).toBe(2);
  });

  it('is that of the model which its session has when it is sent, not of the one that it was launched with', async () => {
    const session = await openSession(system.api, { projectRoot: workspace, model: 'scripted:gate' });
    const [first = ''] = await launchMany(session, 1);
    await untilRecorded(system.api, first, 'RunStarted');
    const waiting = await launchMany(session, 8);
    const runtime = { method: 'PATCH', json: { model: 'scripted:narrow' } };
    expect((await rawRequest(system, `/v1/sessions/${session}/runtime`, runtime)).status).toBe(200);
    for (const fork of waiting) expect((await untilEnded(system.api, fork)).status).toBe('completed');
    await untilEnded(system.api, first);
    const later = await launchMany(session, 5);
    for (const fork of later) expect((await untilEnded(system.api, fork)).status).toBe('completed');
    const mostOf = async (forks: readonly string[]): Promise<number> =>
      Math.max(...(await requests(forks)).map(({ atOnce }) => atOnce));

    // The one that holds the gate is being answered meanwhile.
    expect(await mostOf(waiting)).toBeGreaterThan(2);
    expect(await mostOf(waiting)).toBeLessThanOrEqual(limit + 1);
    expect(await mostOf(later)).toBe(limit);
  });
});
