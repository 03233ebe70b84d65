import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  launchFork,
  openSession,
  recordsOf,
  untilAgent,
  untilEnded,
  untilNoneHeld,
  untilRecorded,
} from '../support/e2e/agents.js';
import { freePort } from '../support/e2e/free-port.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { rawRequest } from '../support/e2e/raw-request.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(120_000);

const hour = 3_600_000;

describe.each(['scripted', 'anthropic'])('a provider that says when to come back (%s)', (protocol) => {
  let system: TestSystem;
  let workspace: string;

  beforeAll(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-retry-'));
    system = await startSystem({ workers: 1, concurrency: 1, port: await freePort() });
  });
  afterAll(async () => {
    await system.stop();
    await rm(workspace, { recursive: true });
  });

  /** A fork whose first request is answered so. Pauses are kept by provider key, which all of these share: each test ends its own. */
  const launch = async (name: string, error: object): Promise<string> => {
    await system.models.script(name, {
      rules: [{ error: { ...error, times: 1 } }, { answer: { text: 'Done.' } }],
    });
    const session = await openSession(system.api, { projectRoot: workspace, model: `${protocol}:${name}` });
    return launchFork(system.api, session, `Go on, ${name}.`);
  };
  const statusesOf = async (agent: string) =>
    (await requestsOf(system.models, agent)).map(({ status }) => status);

  it.each([
    ['seconds', 429, '6'],
    ['a date', 429, '{{httpDate:7}}'],
    ['seconds, overloaded', 529, '6'],
    ['seconds, unavailable', 503, '6'],
  ])(
    '[L09] in %s (%i) is waited for without a place, also over a restart of everything',
    async (_what, status, header) => {
      const agent = await launch(`wait-${status}-${header.length}`, {
        status,
        headers: { 'Retry-After': header },
      });
      const parked = await untilRecorded(system.api, agent, 'RunParked');
      expect(parked.data).toMatchObject({ reason: 'rate_limit' });
      expect(Number(parked.data['delayMs'])).toBeGreaterThanOrEqual(5_000);
      for (const pid of await system.workers()) process.kill(pid, 'SIGKILL');
      await system.restartOrchestrator();
      expect(await untilEnded(system.api, agent)).toMatchObject({ status: 'completed', epoch: 2, run: null });
      const resumed = (await recordsOf(system.api, agent)).findLast(({ type }) => type === 'RunStarted');
      expect(Date.parse(resumed?.at ?? '') - Date.parse(parked.at)).toBeGreaterThanOrEqual(5_000);
      expect(await statusesOf(agent)).toEqual([status, 200]);
    },
  );

  it.each(['abc', '-5'])('[L09] in words that say nothing (%s) is asked again soon', async (header) => {
    const agent = await launch(`odd${header}`, { status: 429, headers: { 'Retry-After': header } });
    expect(await untilEnded(system.api, agent)).toMatchObject({ status: 'completed', epoch: 1 });
    expect(await statusesOf(agent)).toEqual([429, 200]);
  });

  it('a quota that is spent blocks the agent until somebody says that it is mended', async () => {
    const error =
      protocol === 'scripted'
        ? { status: 429, code: 'insufficient_quota', message: 'You exceeded your current quota.' }
        : { status: 402, type: 'billing_error', message: 'Your credit balance is too low.' };
    const agent = await launch('quota', error);
    const blocked = await untilAgent(system.api, agent, ({ status }) => status === 'blocked');
    expect(blocked).toMatchObject({ blocked: { reason: 'provider_quota' }, run: null });
    expect(await statusesOf(agent)).toHaveLength(1);
    expect((await rawRequest(system, `/v1/agents/${agent}/revive`, { method: 'POST' })).status).toBe(202);
    expect((await untilEnded(system.api, agent)).status).toBe('completed');
  });

  it('[L09] in more time than anybody would mean is clamped', async () => {
    const agent = await launch('far', { status: 429, headers: { 'Retry-After': '999999' } });
    const { data } = await untilRecorded(system.api, agent, 'RunParked');
    expect(Number(data['delayMs'])).toBeGreaterThan(60_000);
    expect(Number(data['delayMs'])).toBeLessThanOrEqual(hour + 1_000);
    await untilNoneHeld(system.api);
    await system.api.post(`/v1/agents/${agent}/cancel`);
    expect((await untilEnded(system.api, agent)).status).toBe('cancelled');
  });
});
