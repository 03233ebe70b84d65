import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { launchFork, openSession, recordsOf, untilEnded } from '../support/e2e/agents.js';
import { untilAsked } from '../support/e2e/approvals.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

const script = {
  rules: [
    { when: { toolResultsSinceLastUser: { atLeast: 1 } }, answer: { text: 'Done: {{toolResult:0}}' } },
    {
      when: { lastUserMatches: 'write (\\S+) to (\\S+)' },
      answer: {
        toolCalls: [{ name: 'write_file', arguments: { path: '{{match:2}}', content: '{{match:1}}' } }],
      },
    },
    {
      when: { lastUserMatches: 'run (\\S+) on (\\S+)' },
      answer: {
        toolCalls: [{ name: 'run_shell_command', arguments: { command: 'echo {{match:1}} >> {{match:2}}' } }],
      },
    },
  ],
};
const classifier = {
  rules: [
    { when: { lastUserContains: 'evil' }, answer: { text: '{"verdict":"deny","reason":"it is evil"}' } },
    { when: { lastUserContains: 'odd' }, answer: { text: 'I am not sure.' } },
    { answer: { text: '{"verdict":"allow","reason":"harmless"}' } },
  ],
};

interface Told {
  readonly hook: string;
  readonly agent: { readonly id: string };
  readonly [fact: string]: unknown;
}

describe('what an operator configures', () => {
  let system: TestSystem;
  let service: Server;
  let told: Told[];
  let workspace: string;
  /** What the service answers to a pre-tool hook. */
  let answer: (call: Told) => object;

  beforeAll(async () => {
    service = createServer((request, response) => {
      void readAll(request).then((body) => {
        const call = JSON.parse(body) as Told;
        told.push(call);
        response.end(JSON.stringify(call.hook === 'PreToolUse' ? answer(call) : {}));
      });
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
    const events = ['PreToolUse', 'PostToolUse', 'AgentStart', 'AgentStop', 'ApprovalRequested'];
    system = await startSystem({
      workers: 1,
      operator: {
        hooks: [
          ...events.map((event) => ({ event, url })),
          { event: 'PreToolUse', matcher: '^write_file$', command: 'cat >> written.jsonl' },
        ],
        classifier: { model: 'scripted:classifier' },
        permissions: { deny: ['list_directory'], allow: [{ tool: 'write_file', path: 'CLAUDE.md' }] },
      },
    });
    await system.models.script('hooks', script);
    await system.models.script('classifier', classifier);
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-hooks-'));
  });
  beforeEach(() => {
    told = [];
    answer = () => ({});
  });
  afterAll(async () => {
    await system.stop();
    service.closeAllConnections();
    service.close();
    await rm(workspace, { recursive: true });
  });

  const launch = async (prompt: string, approvalMode: string): Promise<string> => {
    const session = { projectRoot: workspace, model: 'scripted:hooks', approvalMode };
    return launchFork(system.api, await openSession(system.api, session), prompt);
  };
  const contentOf = (name: string): Promise<string> =>
    readFile(join(workspace, name), 'utf8').catch(() => '');
  const factsOf = async (agentId: string, type: string) =>
    (await recordsOf(system.api, agentId)).filter((record) => record.type === type).map(({ data }) => data);
  /** Hooks that hear of agents are told from the log, soon. */
  const untilTold = async (hook: string, agentId: string): Promise<Told> => {
    for (let look = 0; look < 600; look += 1) {
      const found = told.find((one) => one.hook === hook && one.agent.id === agentId);
      if (found !== undefined) return found;
      await pause(50);
    }
    throw new Error(`No ${hook} hook was told of agent ${agentId}.`);
  };

  it('[T25] a hook rewrites a call, a person is asked about the rewrite, and exactly that runs', async () => {
    answer = () => ({ arguments: { path: 'a.txt', content: 'rewritten' } });
    const agent = await launch('write original to a.txt', 'default');
    const [approval] = await untilAsked(system.api, [agent]);
    expect(JSON.parse(approval?.arguments ?? '')).toEqual({ path: 'a.txt', content: 'rewritten' });
    expect(await untilTold('ApprovalRequested', agent)).toMatchObject({
      approval: { id: approval?.id, tool: { name: 'write_file' } },
    });
    await system.api.post(`/v1/approvals/${approval?.id ?? ''}`, { decision: 'allow' });
    expect((await untilEnded(system.api, agent)).status).toBe('completed');
    expect(await contentOf('a.txt')).toBe('rewritten');
    expect((await factsOf(agent, 'ToolCallStarted')).map((fact) => fact['arguments'])).toEqual([
      '{"path":"a.txt","content":"rewritten"}',
    ]);
    expect(told.filter(({ hook }) => hook === 'PostToolUse')).toMatchObject([{ result: { outcome: 'ok' } }]);
    // The command was asked in its turn, beside the operator's file.
    expect(await readFile(join(system.dataDir, 'written.jsonl'), 'utf8')).toContain('rewritten');
  });

  it('[T25] an approval is not for what a hook made of the call afterwards', async () => {
    const agent = await launch('write original to b.txt', 'default');
    const [approval] = await untilAsked(system.api, [agent]);
    answer = () => ({ arguments: { path: 'b.txt', content: 'swapped' } });
    await system.api.post(`/v1/approvals/${approval?.id ?? ''}`, { decision: 'allow' });
    for (let look = 0; look < 600; look += 1) {
      if ((await factsOf(agent, 'ApprovalRequested')).length > 1) break;
      await pause(50);
    }
    expect(await contentOf('b.txt')).toBe('');
    const asked = await factsOf(agent, 'ApprovalRequested');
    expect(
      asked.map(({ arguments: args }) => (JSON.parse(String(args)) as { content: string }).content),
    ).toEqual(['original', 'swapped']);
    const second = asked[1]?.['approvalId'];
    await untilAsked(system.api, [agent]);
    await system.api.post(`/v1/approvals/${String(second)}`, { decision: 'deny' });
    await untilEnded(system.api, agent);
    expect(await contentOf('b.txt')).toBe('');
  });

  it('a hook blocks a call in every mode, and the model reads why', async () => {
    answer = () => ({ decision: 'block', reason: 'not on my watch' });
    const agent = await launch('run x on c.txt', 'yolo');
    expect((await untilEnded(system.api, agent)).status).toBe('completed');
    expect(await contentOf('c.txt')).toBe('');
    expect((await requestsOf(system.models, agent)).at(-1)?.body).toContain('not on my watch');
    expect(await factsOf(agent, 'ToolCallStarted')).toEqual([]);
  });

  it('hooks hear of the start and the end of every agent, also of one that is cancelled while nothing runs it', async () => {
    const agent = await launch('write x to d.txt', 'default');
    await untilAsked(system.api, [agent]);
    expect(await untilTold('AgentStart', agent)).toMatchObject({ agent: { kind: 'fork' }, activation: 1 });
    await system.api.post(`/v1/agents/${agent}/cancel`);
    expect(await untilTold('AgentStop', agent)).toMatchObject({ outcome: { status: 'cancelled' } });
  });

  it('in mode auto the classifier lets a call run, denies it, or leaves it to a person', async () => {
    const [good, evil, odd] = await Promise.all([
      launch('run good on e.txt', 'auto'),
      launch('run evil on e.txt', 'auto'),
      launch('run odd on e.txt', 'auto'),
    ]);
    expect((await untilEnded(system.api, good)).status).toBe('completed');
    expect((await untilEnded(system.api, evil)).status).toBe('completed');
    const [asked] = await untilAsked(system.api, [odd]);
    expect(await contentOf('e.txt')).toBe('good\n');
    expect((await requestsOf(system.models, evil)).at(-1)?.body).toContain('it is evil');
    const verdicts = await Promise.all(
      [good, evil, odd].map((agent) => factsOf(agent, 'ToolCallClassified')),
    );
    expect(verdicts.map((facts) => facts.map(({ verdict }) => verdict))).toEqual([
      ['allow'],
      ['deny'],
      ['ask'],
    ]);
    await system.api.post(`/v1/approvals/${asked?.id ?? ''}`, { decision: 'deny' });
    await untilEnded(system.api, odd);
  });

  it('a protected path asks whatever the classifier would say, unless a rule of the operator names it', async () => {
    const [guarded, named] = await Promise.all([
      launch('write x to .git/config', 'auto'),
      launch('write y to CLAUDE.md', 'auto'),
    ]);
    expect((await untilEnded(system.api, named)).status).toBe('completed');
    expect(await contentOf('CLAUDE.md')).toBe('y');
    await untilAsked(system.api, [guarded]);
    expect(await factsOf(guarded, 'ToolCallClassified')).toEqual([]);
    await system.api.post(`/v1/agents/${guarded}/cancel`);
  });
});

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
