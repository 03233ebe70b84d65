import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchFork, openSession, recordsOf, untilAgent, untilEnded } from '../support/e2e/agents.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { until } from '../support/e2e/processes.js';
import { rawRequest } from '../support/e2e/raw-request.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(240_000);

/** Workers that an agent may take with it before it is held back. */
const mostWorkers = 5;

/** The worker is the parent of the shell that runs a command. */
const toTheWorker = (signal: string): string => `kill -${signal} $PPID; sleep 30`;
const shell = (command: string) => ({
  answer: { toolCalls: [{ name: 'run_shell_command', arguments: { command } }] },
});
const look = { name: 'list_directory', arguments: { path: '.' } };

const script = {
  rules: [
    // As process.abort() and the end of a heap do it, and as the kernel does when memory is out; another text each time.
    {
      when: { lastUserContains: 'abort' },
      ...shell(`: {{turn}}; ${toTheWorker('ABRT')}`),
    },
    {
      when: { lastUserContains: 'out of memory' },
      ...shell(`: {{turn}}; ${toTheWorker('KILL')}`),
    },
    {
      when: { lastUserContains: 'ponder', lastRole: 'user' },
      answer: { text: 'It took me a while.' },
      delivery: { delayMs: 20_000 },
    },
    { when: { toolResultsSinceLastUser: { atLeast: 6 } }, answer: { text: 'Six looks taken.' } },
    { answer: { toolCalls: [look] }, delivery: { delayMs: 400 } },
  ],
};

describe('a fork whose tool takes its worker along', () => {
  let system: TestSystem;
  let workspace: string;
  let session: string;

  beforeAll(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-quarantine-'));
    system = await startSystem({ workers: 2 });
    await system.models.script('deadly', script);
  });
  beforeEach(async () => {
    session = await openSession(system.api, { projectRoot: workspace, model: 'scripted:deadly' });
  });
  afterAll(async () => {
    await system.stop();
    await rm(workspace, { recursive: true });
  });

  const launch = (prompt: string) => launchFork(system.api, session, prompt);
  const causesOf = async (agent: string): Promise<readonly unknown[]> =>
    (await recordsOf(system.api, agent))
      .filter(({ type }) => type === 'RunInterrupted')
      .map(({ data }) => data['cause']);

  it.each(['abort', 'run out of memory'])(
    '[C07] [RUN-2] is held back after a few workers, while other forks finish: %s',
    async (way) => {
      const others = await Promise.all(['look', 'look', 'look'].map(launch));
      const deadly = await launch(way);
      const blocked = await untilAgent(system.api, deadly, ({ status }) => status === 'blocked', 120_000);
      for (const other of others)
        expect((await untilEnded(system.api, other)).outcome).toMatchObject({
          status: 'completed',
          result: 'Six looks taken.',
        });
      const records = await recordsOf(system.api, deadly);
      const of = (type: string) => records.filter((record) => record.type === type).map(({ data }) => data);

      expect(blocked).toMatchObject({ blocked: { reason: 'quarantined' }, run: null });
      expect(of('RevivalBlocked')).toEqual([
        {
          reason: 'quarantined',
          detail: `${mostWorkers} workers were lost in a row without progress.`,
        },
      ]);
      expect(await causesOf(deadly)).toEqual(Array.from({ length: mostWorkers }, () => 'crashed'));
      expect(new Set(of('RunStarted').map((run) => run['workerId'])).size).toBe(mostWorkers);
      // No call was started twice, and each was answered.
      const calls = of('ToolCallStarted').map(({ call }) => JSON.stringify(call));
      expect(new Set(calls).size).toBe(calls.length);
      // A person may let it try again, and it is held back again; or have done with it.
      expect((await rawRequest(system, `/v1/agents/${deadly}/cancel`, { method: 'POST' })).status).toBe(202);
      expect(await system.api.get(`/v1/agents/${deadly}`)).toMatchObject({
        status: 'cancelled',
        outcome: { reason: 'cancelled' },
      });
    },
  );

  it('[C07] does not take the blame to a fork that only waits for its model beside it, however often', async () => {
    const beside = await Promise.all(['ponder', 'ponder', 'ponder'].map(launch));
    const deadly = await launch('abort');
    await untilAgent(system.api, deadly, ({ status }) => status === 'blocked', 120_000);
    for (const other of beside)
      expect((await untilEnded(system.api, other, 120_000)).outcome).toMatchObject({
        status: 'completed',
        result: 'It took me a while.',
      });
    // Else nothing was beside it, and this would show nothing.
    const lost = await Promise.all(beside.map(causesOf));
    expect(lost.flat().length).toBeGreaterThan(0);
    await system.api.post(`/v1/agents/${deadly}/cancel`);
  });

  it('[C07] can be cancelled in the middle of it, and then takes no worker more', async () => {
    const deadly = await launch('abort');
    await until('two lost workers', async () => (await causesOf(deadly)).length >= 2);
    const cancel = await rawRequest(system, `/v1/agents/${deadly}/cancel`, { method: 'POST' });
    expect(cancel.status).toBe(202);
    const agent = await untilEnded(system.api, deadly);
    const { epoch } = agent;
    const asked = (await requestsOf(system.models, deadly)).length;
    const other = await untilEnded(system.api, await launch('look'));

    expect(agent).toMatchObject({ status: 'cancelled', run: null });
    expect(other.status).toBe('completed');
    expect(await system.api.get(`/v1/agents/${deadly}`)).toMatchObject({ status: 'cancelled', epoch });
    expect(await requestsOf(system.models, deadly)).toHaveLength(asked);
    expect((await recordsOf(system.api, deadly)).at(-1)?.type).toBe('AgentCancelled');
  });
});
