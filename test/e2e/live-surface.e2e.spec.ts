import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  anyTool,
  makeRawServer,
  type RawPlan,
  type RawServer,
} from '../../apps/worker/src/mcp/testing/make-raw-server.js';
import { killWorkersOf, launchFork, recordsOf, untilEnded, untilRecorded } from '../support/e2e/agents.js';
import { type ModelRequest, requestsOf } from '../support/e2e/model-requests.js';
import { rawRequest } from '../support/e2e/raw-request.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

const oldText = 'You test a fork runner. Do as the OLD script says.';
const newText = 'You test a fork runner. Do as the NEW script says.';
const schema = (name: string) => ({
  inputSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
});
const before: RawPlan = {
  tools: [anyTool('gone'), anyTool('stays'), anyTool('turns', schema('old')), anyTool('was', schema('a'))],
};
/** One tool is gone, one has another schema, one is new, one has another name. */
const after: RawPlan = {
  tools: [
    anyTool('stays'),
    anyTool('turns', schema('new')),
    anyTool('fresh'),
    anyTool('is', { ...schema('a'), description: 'The tool was.' }),
  ],
};
const call = (name: string, given: object = {}) => ({ name, arguments: given });
const script = {
  rules: [
    {
      when: { lastUserContains: 'wait, then call', lastRole: 'user' },
      answer: { toolCalls: [call('run_shell_command', { command: 'sleep 60' })] },
    },
    {
      when: { anyUserContains: 'wait, then call', toolResultCount: 1 },
      answer: {
        toolCalls: [
          call('mcp__raw__gone'),
          call('mcp__raw__stays'),
          call('mcp__raw__turns', { new: 'n' }),
          call('mcp__raw__turns', { old: 'o' }),
          call('mcp__raw__fresh'),
          call('agent', { description: 'a fork', prompt: 'Go on.', subagent_type: 'fork' }),
          call('ask_user_question', { question: 'May I?' }),
        ],
      },
    },
    { answer: { text: 'Done.' } },
  ],
};

interface SeenSurface {
  readonly declared: readonly string[];
  readonly executable: readonly string[];
  readonly drift: unknown;
}

const exact = ['run_shell_command', 'mcp__raw__gone', 'mcp__raw__stays', 'mcp__raw__turns', 'agent'];
const withinFork = [
  ['agent', 'forbidden_in_fork'],
  ['ask_user_question', 'forbidden_in_fork'],
];

describe.each(['scripted', 'anthropic'])(
  'a fork whose worker is killed while everything around it changes (%s)',
  (protocol) => {
    let system: TestSystem;
    let workspace: string;
    let server: RawServer;
    let session: string;

    beforeAll(async () => {
      workspace = await mkdtemp(join(tmpdir(), 'offshoot-live-'));
      system = await startSystem({ workers: 2 });
      await system.models.script('live', script);
    });
    afterAll(async () => {
      await system.stop();
      await rm(workspace, { recursive: true });
    });

    const surfacesOf = async (agent: string): Promise<readonly [SeenSurface, SeenSurface]> => {
      const [first, second, ...more] = (await recordsOf(system.api, agent))
        .filter(({ type }) => type === 'RunStarted')
        .map(({ data }) => data['surface'] as SeenSurface);
      if (first === undefined || second === undefined || more.length > 0) throw new Error('Not two runs.');
      return [first, second];
    };
    const answersOf = async (agent: string): Promise<readonly unknown[]> =>
      (await recordsOf(system.api, agent))
        .filter(({ type, data }) => /^ToolCall(Finished|Refused)$/.test(type) && callOf(data).turn === 2)
        .sort((a, b) => callOf(a.data).index - callOf(b.data).index)
        .map(({ data }) => [data['name'], data['reason'] ?? data['outcome']]);

    /** A fork that is in the middle of a call when its worker dies; the rest changes before anybody else takes it. */
    const revived = async (list?: readonly string[]): Promise<string> => {
      server = await makeRawServer(before);
      const opened = await system.api.post<{ id: string }>('/v1/sessions', {
        projectRoot: workspace,
        model: `${protocol}:live`,
        approvalMode: 'yolo',
        systemInstruction: oldText,
        mcpServers: { raw: server.config },
        history: { format: 'openai', messages: [{ role: 'user', content: 'Remember the number 42.' }] },
      });
      session = opened.id;
      const fork = await launchFork(system.api, session, 'Please wait, then call.', list);
      await untilRecorded(system.api, fork, 'ToolCallStarted');
      await killWorkersOf(system.api, fork);
      await server.plan(after);
      const change = { method: 'PATCH', json: { systemInstruction: newText } };
      expect((await rawRequest(system, `/v1/sessions/${session}/runtime`, change)).status).toBe(200);
      expect(await untilEnded(system.api, fork)).toMatchObject({ status: 'completed', epoch: 2 });
      const [changed] = (await recordsOf(system.api, session)).filter(
        ({ type }) => type === 'RuntimeChanged',
      );
      const again = (await recordsOf(system.api, fork)).findLast(({ type }) => type === 'RunStarted');
      expect((changed?.at ?? 'z') < (again?.at ?? '')).toBe(true);
      await server.remove();
      return fork;
    };

    it('[C11] [M05] [RUN-3] asks with the tools and the instruction of now, and runs what its list permits of them', async () => {
      const fork = await revived(exact);
      const [first, second] = await surfacesOf(fork);
      const requests = (await requestsOf(system.models, fork)).map(readRequest);

      expect(requests.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(requests.map(({ says }) => says)).toEqual([
        { old: true, now: false, changed: false },
        { old: false, now: true, changed: true },
        { old: false, now: true, changed: true },
      ]);
      expect(requests.map(({ declared }) => [...declared.keys()])).toEqual([
        first.declared,
        second.declared,
        second.declared,
      ]);
      expect(second.declared).not.toContain('mcp__raw__gone');
      expect(second.declared).toContain('mcp__raw__fresh');
      expect(requests.map(({ declared }) => declared.get('mcp__raw__turns'))).toMatchObject([
        { required: ['old'] },
        { required: ['new'] },
        { required: ['new'] },
      ]);
      // Neither the list nor the changes let a fork spawn or ask.
      expect(second.executable).toEqual(['run_shell_command', 'mcp__raw__stays', 'mcp__raw__turns']);
      expect(second.drift).toEqual({
        lost: ['mcp__raw__gone', 'mcp__raw__was'],
        changed: ['mcp__raw__turns'],
        granted: [],
        notGranted: ['mcp__raw__fresh', 'mcp__raw__is'],
        renamed: [{ from: 'mcp__raw__was', to: 'mcp__raw__is' }],
      });
      expect(await answersOf(fork)).toEqual([
        ['mcp__raw__gone', 'undeclared'],
        ['mcp__raw__stays', 'ok'],
        ['mcp__raw__turns', 'ok'],
        ['mcp__raw__turns', 'error'],
        ['mcp__raw__fresh', 'not_in_allowlist'],
        withinFork[0],
        ['ask_user_question', 'not_in_allowlist'],
      ]);
    });

    it.each([
      ['a pattern of its server', ['run_shell_command', 'mcp__raw__*', 'agent', 'ask_user_question']],
      ['no list', undefined],
    ])('[C11] [M05] runs a new tool that its policy permits: %s', async (_what, list) => {
      const fork = await revived(list);
      const [, second] = await surfacesOf(fork);
      expect(second.drift).toMatchObject({
        granted: expect.arrayContaining(['mcp__raw__fresh']) as unknown,
        notGranted: [],
      });
      expect(second.executable).toEqual(expect.arrayContaining(['mcp__raw__fresh']));
      expect((await answersOf(fork)).slice(4)).toEqual([['mcp__raw__fresh', 'ok'], ...withinFork]);
    });
  },
);

const callOf = (data: Readonly<Record<string, unknown>>) => data['call'] as { turn: number; index: number };

const readRequest = ({ status, body }: ModelRequest) => ({
  status,
  declared: declaredIn(body),
  says: {
    old: body.includes(oldText),
    now: body.includes(newText),
    changed: body.includes('The tools have changed since.'),
  },
});

/** The declared tools of a request by name, with their schemas, in either protocol. */
function declaredIn(body: string): ReadonlyMap<string, unknown> {
  const { tools } = JSON.parse(body) as {
    tools: readonly {
      name?: string;
      input_schema?: unknown;
      function?: { name: string; parameters: unknown };
    }[];
  };
  return new Map(
    tools.map(({ name, input_schema, function: tool }) => [
      name ?? tool?.name ?? '',
      input_schema ?? tool?.parameters,
    ]),
  );
}
