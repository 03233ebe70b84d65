import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchFork, openSession, untilEnded, untilRecorded } from '../support/e2e/agents.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(240_000);

const script = {
  rules: [
    {
      when: { lastUserContains: 'throttled' },
      error: { status: 429, headers: { 'Retry-After': '40' }, times: 1 },
    },
    { answer: { text: 'Done.' } },
  ],
};

describe('a provider that sends a worker away', () => {
  let system: TestSystem;
  let workspace: string;

  beforeAll(async () => {
    system = await startSystem({ workers: 2 });
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-throttling-'));
    await system.models.script('throttling', script);
  });
  afterAll(async () => {
    await system.stop();
    await rm(workspace, { recursive: true });
  });

  it('[L09] is left alone by workers that never met it, until the time is over', async () => {
    const { api, models } = system;
    const session = await openSession(api, { projectRoot: workspace, model: 'scripted:throttling' });
    const first = await launchFork(api, session, 'You are throttled.');
    await untilRecorded(api, first, 'RunParked', 'rate_limit');
    for (const pid of await system.workers()) process.kill(pid, 'SIGKILL');
    const second = await launchFork(api, session, 'You are not.');
    const parked = await untilRecorded(api, second, 'RunParked');

    expect(parked.data).toMatchObject({ reason: 'rate_limit', attempts: 0 });
    expect(await requestsOf(models, second)).toEqual([]);
    expect((await untilEnded(api, second, 120_000)).status).toBe('completed');
    expect((await untilEnded(api, first, 120_000)).status).toBe('completed');
    expect((await requestsOf(models, first, second)).map(({ status }) => status)).toEqual([429, 200, 200]);
  });
});
