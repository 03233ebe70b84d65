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
import { askedIn, beforeLastUser, requestsOf, stemOf } from '../support/e2e/model-requests.js';
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

const oddText = '{ "path":"input.txt", "10":1.10, "2":9007199254740993 }';
/** How the arguments of the odd history stand in a request: as a text in the one protocol, as an object in the other. */
const protocols = [
  ['scripted', JSON.stringify(oddText)],
  ['anthropic', `"input":${oddText}`],
] as const;

describe.each(protocols)('the request bytes of forks of one hosted parent (%s)', (protocol, oddArguments) => {
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
      model: `${protocol}:prefix`,
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
    const firsts = forks.map((fork) => ofForks.find(({ agentId }) => agentId === fork)?.body ?? '');
    const [prefix = 'no prefix', ...others] = new Set(firsts.map(beforeLastUser));
    expect(others).toEqual([]);
    expect(ofForks.filter(({ body }) => !body.startsWith(prefix))).toEqual([]);
    expect(prefix).toContain('"tools":[');
    expect(prefix).toContain(oddArguments);
    expect(prefix.startsWith(askedIn(ofParent[1] ?? ''))).toBe(true);
    // A mark of where a request ended moves on with the parent; its words do not.
    expect(unmarked(ofParent[2] ?? '').startsWith(unmarked(prefix))).toBe(true);
    // Three of the lists permit nothing that is declared, and say so in the same words.
    expect(new Set(firsts.map(lastUser)).size).toBe(restrictions.length - 2);
  });

  it('[POL-3] [RUN-3] stay the same after a revival over an unchanged surface', async () => {
    const fork = await launch({ prompt: 'TASK, work slowly', fork_tools: ['run_shell_command'] });
    await untilRecorded(system.api, fork, 'ToolCallStarted');
    await killWorkersOf(system.api, fork);
    const agent = await untilEnded(system.api, fork);
    const requests = await requestsOf(system.models, fork);
    const ofParent = (await requestsOf(system.models, sessionId))[1]?.body ?? '';

    expect(agent.epoch).toBe(2);
    expect(requests.map(({ epoch, status }) => [epoch, status])).toEqual([
      [1, 200],
      [2, 200],
    ]);
    const [before = '', after = ''] = requests.map(({ body }) => body);
    expect(after.startsWith(stemOf(before))).toBe(true);
    expect(after.startsWith(askedIn(ofParent))).toBe(true);
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
    sessionId = await openSession(system.api, { projectRoot: workspace, model: `${protocol}:counted` });
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

function lastUser(body: string): string {
  return body.slice(beforeLastUser(body).length);
}

const unmarked = (body: string): string => body.replaceAll(',"cache_control":{"type":"ephemeral"}', '');

/** The version of the parent's transcript that a fork's history ends with. */
async function launchedFrom({ api }: TestSystem, fork: string): Promise<unknown> {
  const bootstrap = (await recordsOf(api, fork)).find(({ type }) => type === 'BootstrapRecorded');
  return (bootstrap?.data['parent'] as { version: number } | undefined)?.version;
}
