import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordsOf, untilEnded } from '../support/e2e/agents.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { PolicySession } from '../support/e2e/policy-session.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(120_000);

/** Texts whose bytes nothing may touch: spaces, order of keys, numbers, escapes. */
const hostSchema =
  '{ "type":"object",  "properties":{"10":{"type":"number","maximum":1.10},"2":{"type":"string","description":"\\u00e9\\u2028 <b>"}}, "additionalProperties":false }';
const ourSchema = '{"type" : "object","properties":{"path":{"type":"string"}},"required":["path"]}';
const declarations = [
  {
    name: 'zoom_host_view',
    description: 'Only the host\u2028 can.  "Really" \\ <it>',
    parameters: hostSchema,
  },
  { name: 'read_file', description: 'Reads, the host says.', parameters: ourSchema },
  { name: 'mcp__hosted__look', description: 'Of a server of the host.', parameters: '{"type":"object"}' },
  { name: 'agent', description: 'Forks.', parameters: '{"type":"object","properties":{}}' },
];
const call = (name: string, given: object = {}) => ({ name, arguments: given });
const script = {
  rules: [
    { when: { toolResultCount: { atLeast: 1 } }, answer: { text: 'All are answered.' } },
    {
      when: { lastUserContains: 'call them all' },
      answer: {
        toolCalls: [
          call('read_file', { path: 'input.txt' }),
          call('zoom_host_view', { '2': 'x' }),
          call('mcp__hosted__look'),
          call('run_shell_command', { command: 'echo ran > effect.log' }),
          call('agent', { description: 'a fork', prompt: 'Go on.', subagent_type: 'fork' }),
        ],
      },
    },
    { answer: { text: 'Nothing to do.' } },
  ],
};

/** Where a declaration of each protocol holds its schema. */
const protocols = [
  ['scripted', 'parameters'],
  ['anthropic', 'input_schema'],
] as const;

describe.each(protocols)('a host that keeps its own loop (%s)', (protocol, schemaKey) => {
  let system: TestSystem;
  let workspace: string;

  beforeAll(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-host-'));
    await writeFile(join(workspace, 'input.txt'), 'the input\n');
    system = await startSystem({ workers: 1 });
    await system.models.script('host', script);
  });
  afterAll(async () => {
    await system.stop();
    await rm(workspace, { recursive: true });
  });

  const open = (more: object = {}): Promise<PolicySession> =>
    PolicySession.open(system, {
      projectRoot: workspace,
      model: `${protocol}:host`,
      approvalMode: 'yolo',
      systemInstruction: 'The words\u2028 of the host,  as "they" stand.',
      declarations,
      ...more,
    });
  const fork = (more: object = {}) => ({ description: 'f', prompt: 'Go.', subagent_type: 'fork', ...more });
  const answersOf = async (agent: string): Promise<readonly unknown[]> =>
    (await recordsOf(system.api, agent))
      .filter(({ type }) => /^ToolCall(Finished|Refused)$/.test(type))
      .sort((a, b) => indexOf(a.data) - indexOf(b.data))
      .map(({ data }) => [data['name'], data['reason'] ?? data['outcome']]);

  it('has its declarations and its instruction sent byte for byte, and what only it can run is refused as no_executor', async () => {
    const session = await open();
    const agent = await session.launched(fork({ prompt: 'Please call them all.' }));
    expect((await untilEnded(system.api, agent)).status).toBe('completed');
    const [first, second] = await requestsOf(system.models, agent);
    const body = first?.body ?? '';
    const places = declarations.flatMap(({ name, description, parameters }) => [
      body.indexOf(`"name":${JSON.stringify(name)}`),
      body.indexOf(`"description":${JSON.stringify(description)}`),
      body.indexOf(`"${schemaKey}":${parameters}`),
    ]);

    expect([first?.status, second?.status]).toEqual([200, 200]);
    expect(places.every((place) => place >= 0)).toBe(true);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
    expect(body.match(/"name":"[a-z_]+"/g)).toHaveLength(declarations.length);
    expect(body).toContain(JSON.stringify('The words\u2028 of the host,  as "they" stand.'));
    expect(await answersOf(agent)).toEqual([
      ['read_file', 'ok'],
      ['zoom_host_view', 'no_executor'],
      ['mcp__hosted__look', 'no_executor'],
      ['run_shell_command', 'undeclared'],
      ['agent', 'forbidden_in_fork'],
    ]);
  });

  it('may put a tool on the list of a fork that nobody here can run: it is refused as no_executor all the same', async () => {
    const session = await open();
    const list = ['zoom_host_view', 'mcp__hosted__*', 'run_shell_command'];
    const agent = await session.launched(fork({ prompt: 'Please call them all.', fork_tools: list }));
    await untilEnded(system.api, agent);
    expect(await answersOf(agent)).toEqual([
      ['read_file', 'not_in_allowlist'],
      ['zoom_host_view', 'no_executor'],
      ['mcp__hosted__look', 'no_executor'],
      ['run_shell_command', 'undeclared'],
      ['agent', 'not_in_allowlist'],
    ]);
  });

  const results = { role: 'tool', tool_call_id: 'c1', content: 'line' };
  const turns = [
    { role: 'user', content: 'FIRST question' },
    { role: 'assistant', content: 'one' },
    { role: 'user', content: 'SECOND question' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"input.txt"}' } },
      ],
    },
    results,
    { role: 'user', content: '<system-reminder>REMINDER of the host</system-reminder>' },
    { role: 'assistant', content: 'two' },
    { role: 'user', content: 'THIRD question' },
    { role: 'assistant', content: 'three' },
  ];

  it.each([
    ['1', ['THIRD']],
    ['2', ['SECOND', 'REMINDER', 'THIRD']],
    ['3', ['FIRST', 'SECOND', 'REMINDER', 'THIRD']],
    ['4', ['FIRST', 'SECOND', 'REMINDER', 'THIRD']],
    ['9007199254740993', ['FIRST', 'SECOND', 'REMINDER', 'THIRD']],
    ['all', ['FIRST', 'SECOND', 'REMINDER', 'THIRD']],
  ])(
    'hands on its last real user turns: fork_turns %s, where results and reminders are no turns',
    async (forkTurns, inherited) => {
      const session = await open({ history: { format: 'openai', messages: turns } });
      const agent = await session.launched(fork({ fork_turns: forkTurns }));
      expect((await untilEnded(system.api, agent)).status).toBe('completed');
      const [request, ...others] = await requestsOf(system.models, agent);
      const found = ['FIRST', 'SECOND', 'REMINDER', 'THIRD'].filter((word) => request?.body.includes(word));
      expect([request?.status, others]).toEqual([200, []]);
      expect(found).toEqual(inherited);
    },
  );

  it.each(['0', '-1', '1.5', '', ' 2', 'ALL', 2])(
    'is told that fork_turns %j is nothing',
    async (forkTurns) => {
      const session = await open();
      const { status, body } = await session.launch(fork({ fork_turns: forkTurns }));
      // An optional text that is empty counts as absent: models fill such fields.
      if (forkTurns === '') expect(status).toBe(202);
      else {
        expect([status, body['code']]).toEqual([422, 'AGENT_CALL_INVALID']);
        expect(await session.agents()).toEqual([]);
      }
    },
  );
});

const indexOf = (data: Readonly<Record<string, unknown>>): number =>
  (data['call'] as { index: number }).index;
