import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { WorkerAnswer } from '../../apps/cli/src/api/api-shapes.js';
import {
  launchFork,
  openSession,
  recordsOf,
  untilAgent,
  untilEnded,
  untilNoneHeld,
  untilRecorded,
  workerOf,
} from '../support/e2e/agents.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { isAnyProcess, until } from '../support/e2e/processes.js';
import { rawRequest } from '../support/e2e/raw-request.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(120_000);

const shell = (command: string) => ({
  answer: { toolCalls: [{ name: 'run_shell_command', arguments: { command } }] },
});

/** Deaf to every signal that can be ignored, and found in the list of processes by the number. */
const deafSleep = 'trap "" TERM INT HUP; sleep 600.4242; echo late >> effect.log';

const script = {
  rules: [
    { when: { lastUserContains: 'insist' }, ...shell('echo refused') },
    { when: { toolResultsSinceLastUser: { atLeast: 1 } }, answer: { text: 'Done.' } },
    { when: { lastUserContains: 'deaf' }, ...shell(deafSleep) },
    { when: { lastUserContains: 'long' }, ...shell('echo once >> effect.log; sleep 600') },
    {
      when: { lastUserContains: 'think' },
      answer: { text: 'I think about it for quite a while before I say anything.' },
      delivery: { chunkSize: 4, chunkDelayMs: 1_000 },
    },
    {
      when: { lastUserContains: 'throttled' },
      error: { status: 429, headers: { 'Retry-After': '6' }, times: 1 },
    },
    { answer: { text: 'Nothing to do.' } },
  ],
};

describe('an operator', () => {
  let system: TestSystem;
  let workspace: string;
  let sessionId: string;

  beforeAll(async () => {
    system = await startSystem({ workers: 2 });
    await system.models.script('operate', script);
  });
  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-operate-'));
    sessionId = await openSession(system.api, { projectRoot: workspace, model: 'scripted:operate' });
    await until('two workers', async () => (await workers()).length === 2);
  });
  afterEach(() => rm(workspace, { recursive: true }));
  afterAll(() => system.stop());

  const launch = (prompt: string, tools?: readonly string[]): Promise<string> =>
    launchFork(system.api, sessionId, prompt, tools);
  const workers = async (): Promise<readonly WorkerAnswer[]> =>
    (await system.api.get<{ items: readonly WorkerAnswer[] }>('/v1/workers')).items;
  const effect = (): Promise<string> => readFile(join(workspace, 'effect.log'), 'utf8').catch(() => '');
  const typesOf = async (agent: string): Promise<readonly string[]> =>
    (await recordsOf(system.api, agent)).map(({ type }) => type);

  it('[L17] cancels a fork in the middle of a deaf tool: it ends at once, its process with it, and no late result is recorded', async () => {
    const agent = await launch('Be deaf.');
    await untilRecorded(system.api, agent, 'ToolCallStarted');
    await until('the process', () => isAnyProcess('sleep 600.4242'));
    await system.api.post(`/v1/agents/${agent}/cancel`);
    const cancelled = await untilEnded(system.api, agent);
    expect(cancelled).toMatchObject({ status: 'cancelled', run: null, outcome: { reason: 'cancelled' } });
    await until('the end of the process', async () => !(await isAnyProcess('sleep 600.4242')));
    await untilRecorded(system.api, sessionId, 'OutcomeDelivered', agent);
    await pause(1_000);
    expect((await typesOf(agent)).slice(-2)).toEqual(['ToolCallStarted', 'AgentCancelled']);
    expect(await effect()).toBe('');
    await untilNoneHeld(system.api);
    expect(await requestsOf(system.models, agent)).toHaveLength(1);
  });

  it('[L17] cancels a fork in the middle of a model stream, whose answer is dropped', async () => {
    const agent = await launch('Please think.');
    await until('the request', async () => (await requestsOf(system.models, agent)).length > 0);
    await system.api.post(`/v1/agents/${agent}/cancel`);
    expect((await untilEnded(system.api, agent)).status).toBe('cancelled');
    await until('the end of the stream', async () =>
      (await system.models.requests()).some(
        ({ headers, end }) => headers['x-offshoot-agent'] === agent && end === 'client-gone',
      ),
    );
    expect(await typesOf(agent)).not.toContain('TurnRecorded');
    const again = await rawRequest(system, `/v1/agents/${agent}/cancel`, { method: 'POST' });
    expect(again.status).toBe(409);
  });

  it('[L13] sees a fork that insists on a refused tool stopped for want of progress, far below the limit of turns', async () => {
    const agent = await untilEnded(system.api, await launch('Please insist.', ['read_file']));
    expect(agent).toMatchObject({
      status: 'failed',
      outcome: { reason: 'no_progress', refusedTools: ['run_shell_command'] },
    });
    expect(agent.usage.turns).toBeLessThan(20);
    expect(await typesOf(agent.id)).not.toContain('ToolCallStarted');
  });

  it('[C09] revives a blocked fork fifty times at once, and it goes on once', async () => {
    const denied = { rules: [{ error: { status: 401, code: 'invalid_api_key', message: 'No such key.' } }] };
    await system.models.script('locked', denied);
    const locked = await openSession(system.api, { projectRoot: workspace, model: 'scripted:locked' });
    const agent = await launchFork(system.api, locked, 'Go on.');
    await untilAgent(system.api, agent, ({ status }) => status === 'blocked');
    expect(await system.api.get(`/v1/agents/${agent}`)).toMatchObject({
      blocked: { reason: 'provider_credentials' },
    });
    const { epoch } = await untilAgent(system.api, agent, () => true);
    await system.models.script('locked', { rules: [{ answer: { text: 'Unlocked.' } }] });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => rawRequest(system, `/v1/agents/${agent}/revive`, { method: 'POST' })),
    );
    const ended = await untilEnded(system.api, agent);
    const types = await typesOf(agent);

    expect(answers.filter(({ status }) => status !== 202 && status !== 409)).toEqual([]);
    expect(ended).toMatchObject({ status: 'completed', epoch: epoch + 1, activation: 1 });
    expect(types.filter((type) => type === 'WaitEnded')).toHaveLength(1);
    expect(types.filter((type) => type === 'RunStarted')).toHaveLength(epoch + 1);
  });

  it('[L09] sees a throttled fork wait as long as the provider asked, without a place, and go on', async () => {
    const agent = await launch('You are throttled.');
    const parked = await untilRecorded(system.api, agent, 'RunParked');
    expect(parked.data).toMatchObject({ reason: 'rate_limit' });
    expect(Number(parked.data['delayMs'])).toBeGreaterThanOrEqual(6_000);
    await untilNoneHeld(system.api);
    const ended = await untilEnded(system.api, agent);
    const resumed = (await recordsOf(system.api, agent)).findLast(({ type }) => type === 'RunStarted');
    expect(ended).toMatchObject({ status: 'completed', outcome: { result: 'Nothing to do.' } });
    expect(Date.parse(resumed?.at ?? '') - Date.parse(parked.at)).toBeGreaterThanOrEqual(6_000);
    expect((await requestsOf(system.models, agent)).map(({ status }) => status)).toEqual([429, 200]);
  });

  it('[Q14] ends a worker gently in the middle of a long tool: the fork goes on elsewhere, and its effect is not repeated', async () => {
    const agent = await launch('This takes long.');
    await untilRecorded(system.api, agent, 'ToolCallStarted');
    await until('the effect', async () => (await effect()) !== '');
    const worker = await workerOf(system.api, agent);
    process.kill(worker.pid, 'SIGTERM');
    const ended = await untilEnded(system.api, agent);
    const records = await recordsOf(system.api, agent);
    const runs = records.filter(({ type }) => type === 'RunStarted').map(({ data }) => data['workerId']);

    expect(ended).toMatchObject({ status: 'completed', epoch: 2 });
    expect(records.filter(({ type }) => type === 'RunInterrupted').map(({ data }) => data['cause'])).toEqual([
      'drained',
    ]);
    expect(runs[0]).toBe(worker.id);
    expect(runs[1]).not.toBe(worker.id);
    expect(await effect()).toBe('once\n');
    await until('the end of the worker', async () => !(await workers()).some(({ id }) => id === worker.id));
  });

  it('[RUN-1] [C03] freezes a worker in the middle of a model call: another finishes, and the thawed one writes nothing', async () => {
    const agent = await launch('Please think.');
    await untilRecorded(system.api, agent, 'RunStarted');
    await until('the request', async () => (await requestsOf(system.models, agent)).length > 0);
    const worker = await workerOf(system.api, agent);
    process.kill(worker.pid, 'SIGSTOP');
    try {
      await untilEnded(system.api, agent);
    } finally {
      process.kill(worker.pid, 'SIGCONT');
    }
    // Long enough for its answer to come and for it to notice.
    await until('the worker to leave', async () => !(await workers()).some(({ id }) => id === worker.id));
    await pause(3_000);
    const records = await recordsOf(system.api, agent);
    const interrupted = records.find(({ type }) => type === 'RunInterrupted');
    const client = new pg.Client({ connectionString: system.databaseUrl });
    await client.connect();
    const { rows } = await client.query(
      'select version from event where stream = $1 and actor = $2 order by version',
      [agent, `worker:${worker.id}`],
    );
    await client.end();

    expect(interrupted?.data).toMatchObject({ workerId: worker.id, cause: 'frozen' });
    expect(rows.filter(({ version }) => version > (interrupted?.version ?? 0))).toEqual([]);
    expect(rows.length).toBeGreaterThan(0);
    expect(records.at(-1)?.type).toBe('AgentCompleted');
    expect(records.filter(({ type }) => type === 'TurnRecorded')).toHaveLength(1);
  });
});
