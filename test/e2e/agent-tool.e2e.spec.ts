import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentAnswer } from '../../apps/cli/src/api/api-shapes.js';
import { openSession, recordsOf, untilAgent, untilEnded } from '../support/e2e/agents.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

const child = (marker: string, more: object = {}) => ({
  name: 'agent',
  arguments: { description: `child ${marker}`, prompt: `CHILD-${marker}: report.`, ...more },
});

const script = {
  rules: [
    { when: { lastUserContains: '<agent-outcome' }, answer: { text: 'Noted.' } },
    { when: { lastUserContains: 'CHILD-' }, answer: { text: 'The child reports.' } },
    {
      when: { lastUserContains: 'Delegate', assistantTurnsSinceLastUser: 0 },
      answer: {
        text: 'Three at once.',
        toolCalls: [
          child('ONE', { subagent_type: 'fork', fork_tools: ['read_file'] }),
          child('TWO', { subagent_type: 'fork', fork_tools: [] }),
          child('THREE', { subagent_type: 'explorer', run_in_background: true }),
        ],
      },
    },
    { answer: { text: 'They are on their way.' } },
  ],
};

describe('a hosted session whose model launches agents', () => {
  let system: TestSystem;
  beforeAll(async () => {
    system = await startSystem({ workers: 2 });
  });
  afterAll(() => system.stop());

  it('[RUN-5] gets the outcome of each of three siblings once, and no sibling reads the directive of another', async () => {
    const projectRoot = await mkdtemp(join(tmpdir(), 'offshoot-agents-'));
    await writeFile(join(projectRoot, 'a.txt'), 'a\n');
    await system.models.script('delegate', script);
    const sessionId = await openSession(system.api, { projectRoot, model: 'scripted:delegate' });
    await system.api.post(`/v1/sessions/${sessionId}/messages`, { text: 'Delegate this.' });
    await untilAgent(system.api, sessionId, (agent) => agent.usage.turns >= 2);
    const { items } = await system.api.get<{ items: AgentAnswer[] }>(`/v1/agents?session=${sessionId}`);
    const children = items.filter((agent) => agent.kind !== 'session');
    expect(children.map((agent) => agent.kind).sort()).toEqual(['fork', 'fork', 'subagent']);
    for (const agent of children)
      expect((await untilEnded(system.api, agent.id)).outcome?.result).toBe('The child reports.');
    await untilAgent(system.api, sessionId, (agent) => agent.status === 'idle');

    const delivered = (await recordsOf(system.api, sessionId)).filter(
      (record) => record.type === 'OutcomeDelivered',
    );
    expect(delivered.map((record) => record.data['agentId']).sort()).toEqual(
      children.map((agent) => agent.id).sort(),
    );
    const forkBodies = (await system.models.requests())
      .map((request) => request.body)
      .filter((body) => body.includes('You are a fork'));
    const markers = forkBodies.map((body) =>
      ['ONE', 'TWO', 'THREE'].filter((marker) => body.includes(`CHILD-${marker}`)),
    );
    expect(markers.map((found) => found.length)).toEqual(forkBodies.map(() => 1));
    const prefixes = new Set(forkBodies.map((body) => body.slice(0, body.indexOf('<fork>'))));
    expect(prefixes.size).toBe(1);
  });
});
