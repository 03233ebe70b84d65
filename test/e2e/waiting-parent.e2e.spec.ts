import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentAnswer } from '../../apps/cli/src/api/api-shapes.js';
import {
  killWorkersOf,
  openSession,
  recordsOf,
  untilAgent,
  untilRecorded,
  untilListed,
} from '../support/e2e/agents.js';
import { freePort } from '../support/e2e/free-port.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { StalledAppend } from '../support/e2e/stalled-append.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

const launches = (...calls: readonly object[]) => ({
  answer: {
    text: 'I wait for them.',
    toolCalls: calls.map((call) => ({ name: 'agent', arguments: { description: 'a child', ...call } })),
  },
});

/** The session waits for a worker and a fork, the worker for an explorer; nobody is told to go on in between. */
const script = {
  rules: [
    {
      when: { systemContains: 'You explore a code base' },
      answer: { text: 'It is <here>.' },
      delivery: { delayMs: 800 },
    },
    {
      when: { systemContains: 'You carry out one task', assistantTurnsSinceLastUser: 0 },
      ...launches({ subagent_type: 'explorer', prompt: 'Where is it?' }),
    },
    { when: { systemContains: 'You carry out one task' }, answer: { text: 'Done where the explorer said.' } },
    { when: { lastUserContains: 'FORKED' }, answer: { text: 'The fork agrees.' } },
    {
      when: { lastUserContains: 'Wait for both', assistantTurnsSinceLastUser: 0 },
      ...launches(
        { subagent_type: 'worker', prompt: 'Do it.' },
        { subagent_type: 'fork', prompt: 'FORKED: check it.', run_in_background: false },
      ),
    },
    { answer: { text: 'Both are back.' } },
  ],
};

type Records = Awaited<ReturnType<typeof recordsOf>>;

const ofType = (records: Records, type: string): Records => records.filter((record) => record.type === type);

describe('a parent that waits for its children, with one worker slot in the whole system', () => {
  let system: TestSystem;
  let workspace: string;
  let sessionId: string;

  beforeAll(async () => {
    system = await startSystem({ workers: 1, concurrency: 1, port: await freePort() });
    await system.models.script('waiting', script);
  });
  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-waiting-'));
    sessionId = await openSession(system.api, { projectRoot: workspace, model: 'scripted:waiting' });
  });
  afterEach(() => rm(workspace, { recursive: true }));
  afterAll(() => system.stop());

  const ask = () => system.api.post(`/v1/sessions/${sessionId}/messages`, { text: 'Wait for both.' });

  /** Whatever was killed: three children, each outcome once, each waiting call answered once, all of it in the next request. */
  async function everyOutcomeCameOnce(): Promise<void> {
    await untilAgent(
      system.api,
      sessionId,
      ({ status, usage }) => status === 'idle' && usage.turns === 2,
      90_000,
    );
    const children = (agents: readonly AgentAnswer[]) => agents.filter(({ kind }) => kind !== 'session');
    const agents = children(
      await untilListed(
        system.api,
        sessionId,
        (listed) =>
          children(listed).length >= 3 && children(listed).every(({ status }) => status === 'completed'),
      ),
    );
    expect(agents.map(({ description }) => description)).toEqual(['a child', 'a child', 'a child']);
    const parents = new Map<string, Records>();
    for (const parentId of new Set(agents.map((agent) => agent.parentId ?? '')))
      parents.set(parentId, await recordsOf(system.api, parentId));
    for (const [parentId, records] of parents) {
      const children = agents.filter((agent) => agent.parentId === parentId).map(({ id }) => id);
      const told = ofType(records, 'OutcomeDelivered');
      expect(told.map(({ data }) => data['agentId']).sort()).toEqual(children.sort());
      const finished = ofType(records, 'ToolCallFinished');
      const placeOf = ({ data }: Records[number]): unknown => data['call'];
      expect(finished.map(placeOf)).toEqual(expect.arrayContaining(told.map(placeOf)));
      expect(finished.map(({ data }) => data['outcome'])).toEqual(children.map(() => 'ok'));
      expect(ofType(records, 'RunParked').map(({ data }) => data['reason'])).toEqual(
        ofType(records, 'RunParked').map(() => 'child'),
      );
    }
    const last = (await requestsOf(system.models, sessionId)).at(-1);
    expect(last?.body.match(/<agent-outcome/g)).toHaveLength(2);
    expect(last?.body).toContain('Done where the explorer said.');
    expect(last?.body).toContain('The fork agrees.');
  }

  it('[RUN-6] [RUN-5] each is parked without a slot, also the one in the middle, and reads the outcomes as the results of its calls', async () => {
    await ask();
    await untilRecorded(system.api, sessionId, 'RunParked');
    const parked = await system.api.get<AgentAnswer & { waitingFor: readonly string[] }>(
      `/v1/agents/${sessionId}`,
    );
    expect(parked).toMatchObject({ status: 'waiting', run: null });
    expect(parked.waitingFor).toHaveLength(2);
    await everyOutcomeCameOnce();
    const types = (await recordsOf(system.api, sessionId)).map(({ type }) => type);
    expect(types.filter((type) => type === 'RunParked')).toHaveLength(1);
    // The outcomes are results: no message was queued or delivered for them.
    expect(types.filter((type) => type === 'MessageDelivered')).toHaveLength(1);
  });

  it('[RUN-6] [RUN-3] a worker killed between the launches and the parking launches nothing twice', async () => {
    const stalled = await StalledAppend.arm(system.databaseUrl, 'RunParked', 'child');
    await ask();
    await stalled.reached();
    await killWorkersOf(system.api, sessionId);
    await stalled.disarm();
    await everyOutcomeCameOnce();
    const records = await recordsOf(system.api, sessionId);
    expect(ofType(records, 'RunInterrupted').map(({ data }) => data['cause'])).toEqual(['crashed']);
  });

  it('[RUN-6] [RUN-5] an orchestrator killed while the parents are parked loses no outcome', async () => {
    await ask();
    await untilRecorded(system.api, sessionId, 'RunParked');
    await system.restartOrchestrator();
    await everyOutcomeCameOnce();
  });

  it('[RUN-5] an orchestrator killed while it delivers an outcome delivers it once', async () => {
    const stalled = await StalledAppend.arm(system.databaseUrl, 'OutcomeDelivered', '"call"');
    await ask();
    await stalled.reached();
    const restarted = system.restartOrchestrator();
    await stalled.disarm();
    await restarted;
    await everyOutcomeCameOnce();
  });

  it('[RUN-5] an orchestrator killed after it delivered an outcome, before it noted so, does not deliver it again', async () => {
    const delivered = { stream: sessionId, type: 'OutcomeDelivered' };
    const stalled = await StalledAppend.armPlace(system.databaseUrl, 'delivery', delivered);
    await ask();
    await stalled.reached();
    const restarted = system.restartOrchestrator();
    await stalled.disarm();
    await restarted;
    await everyOutcomeCameOnce();
  });
});
