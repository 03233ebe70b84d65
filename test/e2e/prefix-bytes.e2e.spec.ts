import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentAnswer } from '../../apps/cli/src/api/api-shapes.js';
import {
  killWorkersOf,
  launchFork,
  openSession,
  recordsOf,
  untilAgent,
  untilEnded,
  untilRecorded,
} from '../support/e2e/agents.js';
import { beforeLastUser, requestsOf, stemOf } from '../support/e2e/model-requests.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(120_000);

/** Numbers, escapes and key order that a careless parser would not give back. */
const oddHistory = [
  { role: 'user', content: 'Read it.  \u00e9\u2028 "quoted" \\ {"role":"user"}' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: 'call_odd',
        type: 'function',
        function: { name: 'read_file', arguments: '{ "path":"input.txt", "10":1.10, "2":9007199254740993 }' },
      },
    ],
  },
  { role: 'tool', tool_call_id: 'call_odd', content: 'line\r\nline' },
  { role: 'assistant', content: 'I read it.' },
];

const read = { toolCalls: [{ name: 'read_file', arguments: { path: 'input.txt' } }] };

/** The parent reads and answers; a fork reads, slowly enough that all forks are launched from the same place, and answers. */
const script = {
  rules: [
    { when: { lastUserContains: '<agent-outcome' }, answer: { text: 'Noted.' } },
    { when: { toolResultsSinceLastUser: { atLeast: 1 } }, answer: { text: 'That is all.' } },
    {
      when: { lastUserContains: 'work slowly' },
      answer: { toolCalls: [{ name: 'run_shell_command', arguments: { command: 'sleep 3' } }] },
    },
    { when: { lastUserContains: 'TASK' }, answer: read, delivery: { delayMs: 3_000 } },
    { answer: read },
  ],
};

const restrictions: readonly { readonly name: string; readonly call: object }[] = [
  { name: 'unrestricted', call: {} },
  { name: 'restricted', call: { fork_tools: ['list_directory', 'glob'] } },
  { name: 'deny-all', call: { fork_tools: [] } },
  { name: 'every MCP tool', call: { fork_tools: ['mcp__*'] } },
  { name: 'a prefix of one server', call: { fork_tools: ['mcp__docs__search_*', 'read_file'] } },
  { name: 'names that match nothing', call: { fork_tools: ['no_such_tool', 'READ_FILE'] } },
  { name: 'a profile', call: { fork_profile: 'reader' } },
];

const profile = `---
name: reader
tools: [read_file]
promptHint: Read <carefully> & briefly.
---
`;

describe('the request bytes of forks of one hosted parent', () => {
  let system: TestSystem;
  let workspace: string;
  let sessionId: string;

  beforeAll(async () => {
    system = await startSystem({ workers: 2 });
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-prefix-'));
    await mkdir(join(workspace, '.qwen/fork-profiles'), { recursive: true });
    await writeFile(join(workspace, '.qwen/fork-profiles/reader.md'), profile);
    await writeFile(join(workspace, 'input.txt'), 'the input\n');
    await system.models.script('prefix', script);
  });
  beforeEach(async () => {
    const { api } = system;
    sessionId = await openSession(api, {
      projectRoot: workspace,
      model: 'scripted:prefix',
      history: oddHistory,
    });
    await api.post(`/v1/sessions/${sessionId}/messages`, { text: 'Look at the project.' });
    await untilIdle(2);
  });
  afterAll(async () => {
    await system.stop();
    await rm(workspace, { recursive: true });
  });

  const untilIdle = (turns: number): Promise<AgentAnswer> =>
    untilAgent(system.api, sessionId, ({ status, usage }) => status === 'idle' && usage.turns >= turns);

  const launch = async (call: object): Promise<string> => {
    const body = { description: 'a test fork', prompt: 'TASK', subagent_type: 'fork', ...call };
    return (await system.api.post<{ id: string }>(`/v1/sessions/${sessionId}/agents`, body)).id;
  };

  it('[POL-3] [P05] [P07] are equal up to the last user message, whatever the restriction, and go on from the bytes of the parent', async () => {
    const forks = await Promise.all(restrictions.map(({ call }) => launch(call)));
    for (const fork of forks) expect((await untilEnded(system.api, fork)).status).toBe('completed');
    await untilIdle(3);
    const all = await requestsOf(system.models, sessionId, ...forks);
    const ofParent = all.filter(({ agentId }) => agentId === sessionId).map(({ body }) => body);
    const ofForks = all.filter(({ agentId }) => agentId !== sessionId);
    const versions = await Promise.all(forks.map((fork) => launchedFrom(system, fork)));

    // All were launched from one place of the parent, else there would be nothing to compare.
    expect(new Set(versions).size).toBe(1);
    expect(all.filter(({ status }) => status !== 200)).toEqual([]);
    expect(ofForks).toHaveLength(2 * restrictions.length);
    const [prefix, ...others] = new Set(ofForks.map(({ body }) => beforeLastUser(body)));
    expect(others).toEqual([]);
    expect(prefix).toContain('"tools":[');
    expect(prefix).toContain(String.raw`{ \"path\":\"input.txt\", \"10\":1.10, \"2\":9007199254740993 }`);
    expect(prefix?.startsWith(stemOf(ofParent[1] ?? 'no request of the parent'))).toBe(true);
    expect(ofParent[2]?.startsWith(prefix ?? 'no prefix')).toBe(true);
    // Three of the lists permit nothing that is declared, and say so in the same words.
    expect(new Set(ofForks.map(({ body }) => lastUser(body))).size).toBe(restrictions.length - 2);
  });

  it('[POL-3] [RUN-3] stay the same after a revival over an unchanged surface', async () => {
    const fork = await launch({ prompt: 'TASK, work slowly', fork_tools: ['run_shell_command'] });
    await untilRecorded(system.api, fork, 'ToolCallStarted');
    await killWorkersOf(system.api, fork);
    const agent = await untilEnded(system.api, fork);
    const requests = await requestsOf(system.models, fork);

    expect(agent.epoch).toBe(2);
    expect(requests.map(({ epoch, status }) => [epoch, status])).toEqual([
      [1, 200],
      [2, 200],
    ]);
    const [before, after] = requests.map(({ body }) => body);
    expect(after?.startsWith(stemOf(before ?? 'no request'))).toBe(true);
  });

  it('[P10] are read from the cache, and the share is told with the agent', async () => {
    const fork = await launch({ fork_tools: [] });
    const { usage } = await untilEnded(system.api, fork);
    expect(usage.cachedTokens).toBeGreaterThan(0);
    // The one new message is short beside instruction, declarations and history.
    expect(usage.cachedShare).toBeGreaterThan(0.5);
    expect(usage.cachedShare).toBeLessThanOrEqual(1);
  });

  it('[P10] [RUN-4] are counted once each over revivals, the four kinds of token apart, on the fork and on its parent', async () => {
    const usage = { prompt: 1_000, cacheRead: 700, cacheWrite: 100, completion: 50 };
    await system.models.script('counted', {
      rules: script.rules.map((rule) => ({ ...rule, answer: { ...rule.answer, usage } })),
    });
    sessionId = await openSession(system.api, { projectRoot: workspace, model: 'scripted:counted' });
    await system.api.post(`/v1/sessions/${sessionId}/messages`, { text: 'Look at the project.' });
    await untilIdle(2);
    const fork = await launchFork(system.api, sessionId, 'TASK, work slowly');
    await untilRecorded(system.api, fork, 'ToolCallStarted');
    await killWorkersOf(system.api, fork);
    const agent = await untilEnded(system.api, fork);
    const parent = await untilIdle(3);

    const times = (turns: number) => ({
      turns,
      inputTokens: turns * 200,
      cachedTokens: turns * 700,
      cacheWriteTokens: turns * 100,
      outputTokens: turns * 50,
      cachedShare: 0.7,
    });
    expect(agent.epoch).toBe(2);
    expect(agent.usage).toMatchObject(times(2));
    expect(parent.usage).toMatchObject(times(3));
  });
});

function lastUser(body: string): string | undefined {
  const { messages } = JSON.parse(body) as { messages: readonly { role: string; content: string }[] };
  return messages.findLast(({ role }) => role === 'user')?.content;
}

/** The version of the parent's transcript that a fork's history ends with. */
async function launchedFrom({ api }: TestSystem, fork: string): Promise<unknown> {
  const bootstrap = (await recordsOf(api, fork)).find(({ type }) => type === 'BootstrapRecorded');
  return (bootstrap?.data['parent'] as { version: number } | undefined)?.version;
}
