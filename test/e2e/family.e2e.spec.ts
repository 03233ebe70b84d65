import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentAnswer } from '../../apps/cli/src/api/api-shapes.js';
import {
  openSession,
  recordsOf,
  untilAgent,
  untilEnded,
  untilRecorded,
  untilListed,
} from '../support/e2e/agents.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

const calls = (name: string, args: object) => ({ answer: { toolCalls: [{ name, arguments: args }] } });
const launched = 'Agent (\\S+) was launched';
const outcomeOf = (result: string): string => `agent-outcome id="([^"]+)".*${result}`;

/** A session that hurries its fork, sends it another task after its end, and stops what takes too long. */
const script = {
  rules: [
    // The children.
    {
      when: { systemContains: 'You explore a code base' },
      answer: { text: 'Late.' },
      delivery: { delayMs: 600_000 },
    },
    {
      when: { systemContains: 'You carry out one task' },
      ...calls('agent', { subagent_type: 'explorer', description: 'slow', prompt: 'Look.' }),
    },
    { when: { lastUserContains: 'ONCE MORE' }, answer: { text: 'Did it once more.' } },
    { when: { lastUserContains: 'HURRY' }, answer: { text: 'Hurried.' } },
    {
      when: { lastUserContains: 'SLOW', toolResultsSinceLastUser: { below: 1 } },
      ...calls('run_shell_command', { command: 'until [ -e go ]; do sleep 0.1; done' }),
    },
    { when: { lastUserContains: 'SLOW' }, answer: { text: 'Not hurried.' } },
    // The session.
    { when: { lastUserMatches: outcomeOf('Did it once more') }, answer: { text: 'Thanks.' } },
    {
      when: { lastUserMatches: outcomeOf('Hurried'), assistantTurnsSinceLastUser: 0 },
      ...calls('send_message', { agent_id: '{{match:1}}', message: 'ONCE MORE' }),
    },
    {
      when: { lastUserMatches: 'Hurry (\\S+)', assistantTurnsSinceLastUser: 0 },
      ...calls('send_message', { agent_id: '{{match:1}}', message: 'HURRY' }),
    },
    {
      when: { lastToolResultMatches: launched, anyUserContains: 'stop it' },
      ...calls('task_stop', { agent_id: '{{match:1}}', reason: 'Changed my mind.' }),
    },
    {
      when: { lastUserContains: 'Launch a slow one', assistantTurnsSinceLastUser: 0 },
      ...calls('agent', { subagent_type: 'fork', description: 'slow', prompt: 'SLOW' }),
    },
    {
      when: { lastUserContains: 'stop it', assistantTurnsSinceLastUser: 0 },
      ...calls('agent', {
        subagent_type: 'worker',
        description: 'lead',
        prompt: 'Do it.',
        run_in_background: true,
      }),
    },
    { answer: { text: 'All right.' } },
  ],
};

describe('a session and the agents that it launched', () => {
  let system: TestSystem;
  let workspace: string;
  let sessionId: string;

  beforeAll(async () => {
    system = await startSystem({ workers: 1 });
    await system.models.script('family', script);
  });
  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-family-'));
    sessionId = await openSession(system.api, { projectRoot: workspace, model: 'scripted:family' });
  });
  afterEach(() => rm(workspace, { recursive: true }));
  afterAll(() => system.stop());

  const say = (text: string) => system.api.post(`/v1/sessions/${sessionId}/messages`, { text });
  const childOf = async (parentId: string): Promise<AgentAnswer> => {
    await untilRecorded(system.api, parentId, 'ToolCallStarted');
    const isChild = (agent: AgentAnswer) => agent.parentId === parentId;
    const listed = await untilListed(system.api, sessionId, (agents) => agents.some(isChild));
    return listed.find(isChild) as AgentAnswer;
  };

  it('[RUN-5] a message reaches a running fork behind its tool, resumes it when it has ended, and each activation is told once', async () => {
    await say('Launch a slow one.');
    const { id } = await childOf(sessionId);
    await untilRecorded(system.api, id, 'ToolCallStarted');
    await say(`Hurry ${id}`);
    await untilRecorded(system.api, id, 'MessageQueued', 'HURRY');
    await system.api.post(`/v1/agents/${id}/messages`, { text: 'From the operator.' });
    await writeFile(join(workspace, 'go'), '');
    await untilAgent(
      system.api,
      id,
      ({ status, outcome }) => status === 'completed' && outcome?.result === 'Did it once more.',
    );
    await untilRecorded(system.api, sessionId, 'OutcomeDelivered', 'Did it once more.');
    await untilAgent(system.api, sessionId, ({ status }) => status === 'idle');

    const types = (await recordsOf(system.api, id)).map(({ type }) => type);
    const [finished, delivered] = [types.indexOf('ToolCallFinished'), types.indexOf('MessageDelivered')];
    expect(types.indexOf('MessageQueued')).toBeLessThan(finished);
    expect(delivered).toBe(finished + 1);
    expect(types.filter((type) => type === 'AgentCompleted')).toHaveLength(2);
    expect(types.filter((type) => type === 'AgentResumed')).toHaveLength(1);
    const bodies = (await requestsOf(system.models, id)).map(({ body }) => body);
    expect(bodies[1]?.match(/HURRY/g)).toHaveLength(1);
    expect(bodies[1]?.match(/From the operator\./g)).toHaveLength(1);
    const told = (await recordsOf(system.api, sessionId)).filter(({ type }) => type === 'OutcomeDelivered');
    expect(told.map(({ data }) => [data['agentId'], data['activation']])).toEqual([
      [id, 1],
      [id, 2],
    ]);
  });

  it('[L17] [L23] a stopped agent ends at once, and the session reads who stopped it', async () => {
    await say('Launch one and stop it.');
    const lead = await childOf(sessionId);
    const stopped = await untilEnded(system.api, lead.id);
    expect(stopped).toMatchObject({ status: 'cancelled', outcome: { reason: 'stopped_by_parent' } });
    await untilRecorded(system.api, sessionId, 'OutcomeDelivered', 'stopped_by_parent');
  });

  it('[L17] a cancel reaches the agents that an agent waits for', async () => {
    const body = { subagent_type: 'worker', description: 'lead', prompt: 'Do it.' };
    const { id } = await system.api.post<{ id: string }>(`/v1/sessions/${sessionId}/agents`, body);
    await untilAgent(system.api, id, ({ status }) => status === 'waiting');
    const explorer = await childOf(id);
    await system.api.post(`/v1/agents/${id}/cancel`);
    expect(await untilEnded(system.api, explorer.id)).toMatchObject({
      status: 'cancelled',
      outcome: { reason: 'parent_cancelled' },
    });
    expect((await untilEnded(system.api, id)).status).toBe('cancelled');
  });
});
