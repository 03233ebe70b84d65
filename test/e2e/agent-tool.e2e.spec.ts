import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdir, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
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
import { freePort } from '../support/e2e/free-port.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { until } from '../support/e2e/processes.js';
import { StalledAppend } from '../support/e2e/stalled-append.js';
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

/** The same three, with a profile in the place of the empty list; slow enough to be killed on their way. */
const slowScript = {
  rules: [
    {
      when: { lastToolResultContains: 'interrupted before this call was started' },
      answer: { toolCalls: [child('THREE', { subagent_type: 'explorer', run_in_background: true })] },
    },
    { when: { lastUserContains: '<agent-outcome' }, answer: { text: 'Noted.' }, delivery: { delayMs: 500 } },
    {
      when: { lastUserContains: 'CHILD-', assistantTurnsSinceLastUser: 0 },
      answer: { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] },
      delivery: { delayMs: 700 },
    },
    {
      when: { lastUserContains: 'CHILD-' },
      answer: { text: 'It says: {{toolResult:-1}}' },
      delivery: { delayMs: 700 },
    },
    {
      when: { lastUserContains: 'Delegate', assistantTurnsSinceLastUser: 0 },
      answer: {
        toolCalls: [
          child('ONE', { subagent_type: 'fork', fork_tools: ['read_file'] }),
          child('TWO', { subagent_type: 'fork', fork_profile: 'reader' }),
          child('THREE', { subagent_type: 'explorer', run_in_background: true }),
        ],
      },
    },
    { answer: { text: 'They are on their way.' } },
  ],
};

/** A child that writes where it works, says where that is, and looks beside it. */
const confinedScript = {
  rules: [
    {
      when: { lastUserContains: 'CHILD-HERE', assistantTurnsSinceLastUser: 0 },
      answer: {
        toolCalls: [
          { name: 'write_file', arguments: { path: 'note.txt', content: 'here' } },
          { name: 'run_shell_command', arguments: { command: 'pwd' } },
          { name: 'read_file', arguments: { path: '../a.txt' } },
          { name: 'glob', arguments: { pattern: '**/*' } },
        ],
      },
    },
    { when: { lastUserContains: 'CHILD-HERE' }, answer: { text: 'Written.' } },
    { answer: { text: 'Noted.' } },
  ],
};

describe('a hosted session whose model launches agents', () => {
  let system: TestSystem;
  beforeAll(async () => {
    system = await startSystem({ workers: 2, port: await freePort() });
  });
  afterAll(() => system.stop());

  it('[RUN-5] gets the outcome of each of three siblings once, and no sibling reads the directive of another', async () => {
    const projectRoot = await mkdtemp(join(tmpdir(), 'offshoot-agents-'));
    await writeFile(join(projectRoot, 'a.txt'), 'a\n');
    await system.models.script('delegate', script);
    const sessionId = await openSession(system.api, { projectRoot, model: 'scripted:delegate' });
    await system.api.post(`/v1/sessions/${sessionId}/messages`, { text: 'Delegate this.' });
    await untilAgent(system.api, sessionId, (agent) => agent.usage.turns >= 2);
    const children = await untilChildren(system, sessionId, 3);
    expect(children.map((agent) => agent.kind).sort()).toEqual(['fork', 'fork', 'subagent']);
    for (const agent of children)
      expect((await untilEnded(system.api, agent.id)).outcome?.result).toBe('The child reports.');
    await untilOutcomes(system, sessionId, 3);
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

  it('[POL-5] launches an agent that works in a folder of the project and nowhere else, with a model of its own', async () => {
    const projectRoot = await realpath(await mkdtemp(join(tmpdir(), 'offshoot-agents-')));
    await writeFile(join(projectRoot, 'a.txt'), 'a\n');
    await mkdir(join(projectRoot, 'src'));
    await system.models.script('confined', confinedScript);
    // The session has another model: the child must be asked of the one that its launch named.
    const sessionId = await openSession(system.api, { projectRoot, model: 'scripted:nobody' });
    const call = {
      model: 'scripted:confined',
      description: 'confined',
      prompt: 'CHILD-HERE',
      subagent_type: 'worker',
      working_dir: 'src',
    };
    const { id } = await system.api.post<{ id: string }>(`/v1/sessions/${sessionId}/agents`, call);
    expect((await untilEnded(system.api, id)).outcome?.result).toBe('Written.');
    const results = (await recordsOf(system.api, id)).filter(({ type }) => type === 'ToolCallFinished');
    expect(results.map(({ data }) => [data['outcome'], data['content']])).toEqual([
      ['ok', expect.stringContaining('note.txt')],
      ['ok', expect.stringContaining(join(projectRoot, 'src'))],
      ['error', expect.stringContaining('outside the project')],
      ['ok', 'note.txt'],
    ]);
    expect(await readFile(join(projectRoot, 'src', 'note.txt'), 'utf8')).toBe('here');
  });

  it('[RUN-5] [RUN-3] gets three outcomes, each once, while workers and orchestrator are killed again and again', async () => {
    const projectRoot = await mkdtemp(join(tmpdir(), 'offshoot-agents-'));
    await writeFile(join(projectRoot, 'a.txt'), 'a\n');
    await mkdir(join(projectRoot, '.qwen', 'fork-profiles'), { recursive: true });
    await writeFile(join(projectRoot, '.qwen', 'fork-profiles', 'reader.md'), profile);
    await system.models.script('killed', slowScript);
    const sessionId = await openSession(system.api, { projectRoot, model: 'scripted:killed' });
    const stalled = await StalledAppend.arm(system.databaseUrl, 'ToolCallStarted', '"index":2');
    await system.api.post(`/v1/sessions/${sessionId}/messages`, { text: 'Delegate this.' });
    // One kill at each stage of the way: between the launches, at work, ending and delivering.
    await stalled.reached();
    await killWorkers(system);
    await stalled.disarm();
    const delivered = { stream: sessionId, type: 'OutcomeDelivered' };
    const delivering = await StalledAppend.armPlace(system.databaseUrl, 'delivery', delivered);
    const again = await untilRecorded(system.api, sessionId, 'ToolCallFinished', '"turn":2');
    expect(again.data).toMatchObject({ outcome: 'ok', content: expect.stringContaining('was launched') });
    await system.restartOrchestrator();
    await killWorkers(system);
    // The first outcome is delivered, and the orchestrator does not come to note so.
    await delivering.reached();
    const first = await untilRecorded(system.api, sessionId, 'OutcomeDelivered');
    const restarted = system.restartOrchestrator();
    await delivering.disarm();
    await restarted;
    await killWorkers(system);
    await untilAgent(system.api, sessionId, ({ status }) => status === 'idle', 90_000);
    await untilOutcomes(system, sessionId, 3);
    await untilAgent(system.api, sessionId, ({ status }) => status === 'idle', 90_000);

    const children = await untilChildren(system, sessionId, 3);
    expect(children.map(({ kind }) => kind).sort()).toEqual(['fork', 'fork', 'subagent']);
    const forks = children.filter(({ kind }) => kind === 'fork');
    expect(forks.map(({ policy }) => policy.entries)).toEqual([['read_file'], ['read_file']]);
    for (const { id } of children)
      expect((await untilEnded(system.api, id)).outcome?.result).toContain('It says: ');
    const records = await recordsOf(system.api, sessionId);
    const told = records.filter((record) => record.type === 'OutcomeDelivered');
    expect(told.map(({ data }) => data['agentId']).sort()).toEqual(children.map(({ id }) => id).sort());
    expect(told.map(({ version }) => version)).toContain(first.version);
    // What the model read in the end: each outcome once, in user messages, in a history that a provider accepts.
    const requests = await requestsOf(system.models, sessionId);
    const last = requests.at(-1)?.body ?? '';
    for (const { id } of children) expect(last.split(`<agent-outcome id=\\"${id}\\"`)).toHaveLength(2);
    expect(requests.filter(({ status }) => status !== 200 && status !== null)).toEqual([]);
  });
});

const profile = `---
name: reader
tools: [read_file]
---
`;

async function killWorkers(system: TestSystem): Promise<void> {
  for (const pid of await system.workers()) process.kill(pid, 'SIGKILL');
}

/** The list of agents may be a moment behind. */
async function untilChildren(
  system: TestSystem,
  sessionId: string,
  count: number,
): Promise<readonly AgentAnswer[]> {
  const children = (agents: readonly AgentAnswer[]) => agents.filter(({ kind }) => kind !== 'session');
  return children(await untilListed(system.api, sessionId, (agents) => children(agents).length >= count));
}

async function untilOutcomes(system: TestSystem, sessionId: string, count: number): Promise<void> {
  await until(`${count} outcomes`, async () => {
    const records = await recordsOf(system.api, sessionId);
    return records.filter(({ type }) => type === 'OutcomeDelivered').length >= count;
  });
}
