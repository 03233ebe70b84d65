import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { startHttpServer } from '../../apps/worker/src/mcp/testing/http-server.js';
import {
  anyTool,
  makeRawServer,
  rawServerScript,
  type RawPlan,
  type RawServer,
} from '../../apps/worker/src/mcp/testing/make-raw-server.js';
import { countCodePoints } from '../../apps/worker/src/tools/output-cap.js';
import {
  killWorkersOf,
  launchFork,
  recordsOf,
  untilEnded,
  untilRecorded,
  untilListed,
} from '../support/e2e/agents.js';
import { untilAsked } from '../support/e2e/approvals.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { rawRequest } from '../support/e2e/raw-request.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

const call = (name: string, given: object = {}) => ({ name, arguments: given });
const everything = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);

let system: TestSystem;
let workspace: string;
let trustedFolder: string;
let made: RawServer[];

beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'offshoot-mcp-faults-'));
  await writeFile(join(workspace, 'input.txt'), 'the input\n');
  trustedFolder = await mkdtemp(join(tmpdir(), 'offshoot-trusted-'));
  const trusted = { command: process.execPath, args: [rawServerScript, trustedFolder] };
  system = await startSystem({ workers: 2, operator: { trustedServers: [trusted] } });
});
beforeEach(() => {
  made = [];
});
afterEach(() => Promise.all(made.map((server) => server.remove())));
afterAll(async () => {
  await system.stop();
  await rm(workspace, { recursive: true });
  await rm(trustedFolder, { recursive: true });
});

const raw = async (plan: RawPlan): Promise<RawServer> => {
  const server = await makeRawServer(plan);
  made.push(server);
  return server;
};
const offering = (...names: string[]): RawPlan => ({ tools: names.map((name) => anyTool(name)) });

/** The session of a test: what its agents call is one batch, and then they are done. */
async function open(name: string, mcpServers: object, batch: readonly object[], more: object = {}) {
  await system.models.script(name, {
    rules: [
      { when: { toolResultCount: { atLeast: batch.length } }, answer: { text: 'Done.' } },
      { answer: { toolCalls: batch } },
    ],
  });
  const { id } = await system.api.post<{ id: string }>('/v1/sessions', {
    projectRoot: workspace,
    model: `scripted:${name}`,
    approvalMode: 'yolo',
    systemInstruction: 'You test MCP servers. Do as the script says.',
    mcpServers,
    ...more,
  });
  return id;
}

const of = async (agent: string, type: RegExp) =>
  (await recordsOf(system.api, agent)).filter((record) => type.test(record.type)).map(({ data }) => data);
const answersOf = async (agent: string): Promise<readonly (readonly unknown[])[]> =>
  [...(await of(agent, /^ToolCall(Finished|Refused)$/))]
    .sort((a, b) => indexOf(a) - indexOf(b))
    .map((data) => [data['name'], data['reason'] ?? data['outcome'], data['content'] ?? null]);
const indexOf = (data: Readonly<Record<string, unknown>>): number =>
  (data['call'] as { index: number }).index;
const completed = async (agent: string): Promise<void> => {
  expect((await untilEnded(system.api, agent, 120_000)).status).toBe('completed');
  const statuses = (await requestsOf(system.models, agent)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== null)).toEqual([]);
};
/** Bytes of the largest payload of an agent, as it lies in the log. */
async function largestEvent(agent: string): Promise<number> {
  const client = new pg.Client({ connectionString: system.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ bytes: number }>(
    'select max(octet_length(data)) as bytes from event where stream = $1',
    [agent],
  );
  await client.end();
  return rows[0]?.bytes ?? Infinity;
}
const callsOf = async (server: RawServer): Promise<readonly unknown[]> =>
  (await server.received())
    .filter(({ method }) => method === 'tools/call')
    .map((message) => (message as unknown as { params: { name: string } }).params.name);

describe('names of servers and tools', () => {
  it('[L05] however long and odd, are declared in a way that a strict provider takes, and a call reaches the very tool', async () => {
    const odd = `dots.and/${'x'.repeat(100)}.end`;
    const server = await raw(offering(odd));
    const session = await open('odd-names', { 'my.server/ü': server.config }, [call('none')]);
    const first = await launchFork(system.api, session, 'Look.');
    await completed(first);
    const [{ surface }] = (await of(first, /^RunStarted$/)) as [{ surface: { mcp: { name: string }[] } }];
    const wire = surface.mcp[0]?.name ?? '';
    expect(wire).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(surface.mcp).toEqual([{ name: wire, server: 'my.server/ü', tool: odd }]);

    const calling = await open('odd-call', { 'my.server/ü': server.config }, [call(wire, { a: 1 })]);
    const agent = await launchFork(system.api, calling, 'Call.', [`mcp__my.server/ü__${odd}`]);
    await completed(agent);
    expect(await answersOf(agent)).toEqual([[wire, 'ok', expect.stringContaining('{"a":1}')]]);
    expect(await callsOf(server)).toEqual([odd]);
  });

  it.each([[['my.server', 'my_server', 'My server']], [['My server', 'my_server', 'my.server']]])(
    '[M01] [M03] that look alike stay apart, in any order, for calls and for lists (%j)',
    async (names) => {
      const servers = new Map<string, RawServer>();
      for (const name of names) servers.set(name, await raw(offering('run')));
      const configs = Object.fromEntries([...servers].map(([name, { config }]) => [name, config]));
      const probe = await launchFork(system.api, await open('alike', configs, [call('none')]), 'Look.');
      await completed(probe);
      const [{ surface }] = (await of(probe, /^RunStarted$/)) as [
        { surface: { mcp: { name: string; server: string }[] } },
      ];
      const wireOf = new Map(surface.mcp.map(({ name, server }) => [server, name]));
      expect(new Set(wireOf.values()).size).toBe(3);
      const batch = names.map((name) => call(wireOf.get(name) ?? '', { of: name }));
      const session = await open('alike-calls', configs, batch);
      for (const allowed of names) {
        const agent = await launchFork(system.api, session, 'Call all.', [`mcp__${allowed}__*`]);
        await completed(agent);
        expect((await answersOf(agent)).map(([, how]) => how)).toEqual(
          names.map((name) => (name === allowed ? 'ok' : 'not_in_allowlist')),
        );
      }
      for (const server of servers.values()) expect(await callsOf(server)).toEqual(['run']);
    },
  );

  it('[M07] a tool of the third page is declared, and may be put on a list', async () => {
    const names = Array.from({ length: 101 }, (_none, index) => `t${index}`);
    const server = await raw({ ...offering(...names), pageSize: 50 });
    const batch = [call('mcp__raw__t100', { a: 1 }), call('mcp__raw__t0')];
    const session = await open('pages', { raw: server.config }, batch);
    const agent = await launchFork(system.api, session, 'Call both.', ['mcp__raw__t100']);
    await completed(agent);
    expect((await answersOf(agent)).map(([name, how]) => [name, how])).toEqual([
      ['mcp__raw__t100', 'ok'],
      ['mcp__raw__t0', 'not_in_allowlist'],
    ]);
    expect(
      (await requestsOf(system.models, agent))[0]?.body.match(/mcp__raw__t\d+/g)?.length,
    ).toBeGreaterThan(100);
  });
});

describe('schemas, results and sessions of servers', () => {
  it('[M17] a bad schema takes no other tool down, is reported, and is not sent to the provider', async () => {
    const deep = JSON.parse(`${'{"type":"object","properties":{"a":'.repeat(2_000)}{}${'}}'.repeat(2_000)}`);
    const server = await raw({
      tools: [
        anyTool('good'),
        anyTool('any', { inputSchema: { anyOf: [{ type: 'object' }] } }),
        anyTool('output', { outputSchema: { properties: {} } }),
        anyTool('loop', { inputSchema: { type: 'object', properties: { a: { $ref: '#/properties/a' } } } }),
        anyTool('deep', { inputSchema: deep }),
      ],
    });
    const session = await open('schemas', { raw: server.config }, [call('mcp__raw__good')]);
    const agent = await launchFork(system.api, session, 'Call.');
    await completed(agent);
    expect((await answersOf(agent)).map(([, how]) => how)).toEqual(['ok']);
    const { surface } = await system.api.get<{ surface: { withheld: { name: string; reason: string }[] } }>(
      `/v1/agents/${agent}`,
    );
    const withheld = surface.withheld.filter(({ reason }) => reason.startsWith('tool_schema'));
    expect(withheld.map(({ name }) => name).sort()).toEqual(
      ['any', 'deep', 'loop', 'output'].map((name) => `mcp__raw__${name}`),
    );
  });

  it('[L11] [M15] empty, blank and huge results leave a history that a strict provider takes', async () => {
    const server = await raw(offering('blank', 'big'));
    const contents = [[], [{ type: 'text', text: '' }], [{ type: 'text', text: ' \n\t' }]];
    const batch = [
      ...contents.map((content) => call('mcp__raw__blank', { content })),
      call('mcp__raw__big', { count: 600_000 }),
    ];
    const agent = await launchFork(
      system.api,
      await open('results', { raw: server.config }, batch),
      'Call all.',
    );
    await completed(agent);
    const answers = await answersOf(agent);
    expect(answers.map(([, how]) => how)).toEqual(['ok', 'ok', 'ok', 'ok']);
    const big = String(answers[3]?.[2]);
    expect([big.isWellFormed(), countCodePoints(big) <= 30_000]).toEqual([true, true]);
    const [, second] = await requestsOf(system.models, agent);
    const sent = (
      JSON.parse(second?.body ?? '{}') as { messages: { role: string; content: string }[] }
    ).messages
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content);
    // One placeholder, the same bytes each time.
    expect(new Set(sent.slice(0, 3)).size).toBe(1);
    expect(sent[0]?.trim()).not.toBe('');
    expect(await largestEvent(agent)).toBeLessThan(1_048_576);
  });

  it('[M11] a server over HTTP that lost its sessions while nobody ran the agent is initialised once by the next run', async () => {
    const server = await startHttpServer();
    const batch = [call('mcp__web__echo'), call('run_shell_command', { command: 'sleep 60' })];
    const session = await open('lost', { web: { url: server.url } }, [...batch]);
    await system.models.script('lost', {
      rules: [
        { when: { toolResultCount: 3 }, answer: { text: 'Done.' } },
        { when: { toolResultCount: 2 }, answer: { toolCalls: [call('mcp__web__echo')] } },
        { answer: { toolCalls: batch } },
      ],
    });
    const agent = await launchFork(system.api, session, 'Call both.');
    await untilRecorded(system.api, agent, 'ToolCallStarted', 'run_shell_command');
    await killWorkersOf(system.api, agent);
    server.forget();
    const before = server.initialised();
    await completed(agent);
    expect(
      (await answersOf(agent)).filter(([name]) => name === 'mcp__web__echo').map(([, how]) => how),
    ).toEqual(['ok', 'ok']);
    expect(server.initialised()).toBe(before + 1);
    await server.stop();
  });

  it('[P01] the bytes of the declarations are the same whatever order servers stand in and whichever of them is new', async () => {
    const servers = { a: (await raw(offering('z', 'y'))).config, b: (await raw(offering('x'))).config };
    const all: [string, object][] = [
      ...Object.entries(servers),
      ['everything', { command: process.execPath, args: [everything, 'stdio'] }],
    ];
    const digests = new Set<string>();
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
      [2, 0, 1],
    ]) {
      const configs = Object.fromEntries(order.map((at) => all[at] ?? ['', {}]));
      const agent = await launchFork(system.api, await open('orders', configs, [call('none')]), 'Look.');
      await completed(agent);
      const [request] = await requestsOf(system.models, agent);
      const tools = /"tools":\[.*?\],"messages"/s.exec(request?.body ?? '')?.[0] ?? '';
      expect(tools).toContain('mcp__everything__echo');
      digests.add(createHash('sha256').update(tools).digest('hex'));
    }
    expect(digests.size).toBe(1);
  });
});

describe('a tool of a server that changes while a person is asked', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } };
  const turned = { properties: { b: { type: 'number' }, a: { type: 'string' } }, type: 'object' };
  const tool = (more: object = {}): RawPlan => ({ tools: [anyTool('t', { inputSchema: schema, ...more })] });

  it.each([
    ['another description', { description: 'Now it sends money.' }, false],
    [
      'one parameter more',
      { inputSchema: { ...schema, properties: { ...schema.properties, c: {} } } },
      false,
    ],
    ['another annotation', { annotations: { destructiveHint: false } }, false],
    ['another order of keys', { inputSchema: turned }, true],
  ])('[M19] [T25] is not run on the old approval: %s', async (_what, change, isSame) => {
    const server = await raw(tool());
    const session = await open('changing', { raw: server.config }, [call('mcp__raw__t', { a: 'x' })], {
      approvalMode: 'default',
    });
    const agent = await launchFork(system.api, session, 'Call.');
    const [first] = await untilAsked(system.api, [agent]);
    await server.plan(tool(change));
    const allow = (id = '') => rawRequest(system, `/v1/approvals/${id}`, { json: { decision: 'allow' } });
    expect((await allow(first?.id)).status).toBe(200);
    if (!isSame) {
      const [second] = await untilAsked(system.api, [agent], ({ id }) => id !== first?.id);
      expect(await callsOf(server)).toEqual([]);
      expect((await allow(second?.id)).status).toBe(200);
    }
    await completed(agent);
    expect(await callsOf(server)).toEqual(['t']);
    expect(await of(agent, /^ApprovalRequested$/)).toHaveLength(isSame ? 1 : 2);
  });
});

describe('a batch of which one call is done when the worker dies', () => {
  it('[L01] [C17] keeps that result, repeats what only reads, and answers each call once, in the order of the calls', async () => {
    const tools = ['late', 'wait'].map((name) => anyTool(name, { annotations: { readOnlyHint: true } }));
    await writeFile(join(trustedFolder, 'plan.json'), JSON.stringify({ tools }));
    const servers = { raw: { command: process.execPath, args: [rawServerScript, trustedFolder] } };
    const batch = [
      call('mcp__raw__late', { ms: 3_000 }),
      call('read_file', { path: 'input.txt' }),
      call('mcp__raw__late', { ms: 3_500 }),
      call('run_shell_command', { command: 'echo once >> effect.log' }),
    ];
    const agent = await launchFork(system.api, await open('parallel', servers, batch), 'Call all.');
    await untilRecorded(system.api, agent, 'ToolCallFinished', 'read_file');
    await killWorkersOf(system.api, agent);
    await completed(agent);
    const started = (await of(agent, /^ToolCallStarted$/)).map((data) => [data['epoch'], indexOf(data)]);
    const [, second] = await requestsOf(system.models, agent);
    const { messages } = JSON.parse(second?.body ?? '{}') as {
      messages: { role: string; tool_call_id?: string; tool_calls?: { id: string }[] }[];
    };
    const asked = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));

    expect(started).toEqual([
      [1, 0],
      [1, 1],
      [1, 2],
      [2, 0],
      [2, 2],
    ]);
    expect((await answersOf(agent)).map(([name, how]) => [name, how])).toEqual([
      ['mcp__raw__late', 'ok'],
      ['read_file', 'ok'],
      ['mcp__raw__late', 'ok'],
      // It never began, and the model is told so: whether it is to be made is the model's to say.
      ['run_shell_command', 'skipped'],
    ]);
    expect(messages.filter(({ role }) => role === 'tool').map(({ tool_call_id }) => tool_call_id)).toEqual(
      asked,
    );
    await expect(readFile(join(workspace, 'effect.log'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a fork that wants a helper', () => {
  it('[T06] [POL-8] [SEC-1] gets none over a server or a command that asks our API, with whatever it finds in its environment', async () => {
    const server = await raw(offering('launch'));
    const helper = { description: 'a helper', prompt: 'Go on.', subagent_type: 'fork' };
    const servers = { raw: server.config };
    const session = await open('helpers', servers, [call('none')]);
    const url = `${system.api.address}/v1/sessions/${session}/agents`;
    const curl = `for k in '' $(env | cut -d= -f2-); do curl -s -o /dev/null -w '%{http_code} ' -H "authorization: Bearer $k" -H 'content-type: application/json' -d '${JSON.stringify(helper)}' ${url}; done; env | cut -d= -f1`;
    await system.models.script('helpers', {
      rules: [
        { when: { toolResultCount: { atLeast: 4 } }, answer: { text: 'Nobody helps.' } },
        {
          answer: {
            toolCalls: [
              call('mcp__raw__launch', { url, call: helper }),
              call('run_shell_command', { command: curl }),
              call('agent', helper),
              call('agent', { ...helper, subagent_type: 'explorer' }),
            ],
          },
        },
      ],
    });
    const agent = await launchFork(system.api, session, 'Find help.');
    await completed(agent);
    const answers = await answersOf(agent);
    const { statuses, names } = JSON.parse(String(answers[0]?.[2])) as {
      statuses: number[];
      names: string[];
    };
    const printed = String(answers[1]?.[2]).split(/\s+/);
    const codes = printed.filter((word) => /^\d{3}$/.test(word));
    const items = await untilListed(system.api, session, (agents) => agents.some(({ id }) => id === agent));

    expect(statuses.length).toBeGreaterThan(1);
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(codes.length).toBeGreaterThan(1);
    expect(new Set(codes)).toEqual(new Set(['401']));
    expect(
      [...names, ...printed].filter((name) => /KEY|TOKEN|SECRET|DATABASE|OFFSHOOT_API/.test(name)),
    ).toEqual([]);
    expect(answers.slice(2).map(([name, how]) => [name, how])).toEqual([
      ['agent', 'forbidden_in_fork'],
      ['agent', 'forbidden_in_fork'],
    ]);
    expect(items.map(({ id }) => id).sort()).toEqual([session, agent].sort());
  });
});
