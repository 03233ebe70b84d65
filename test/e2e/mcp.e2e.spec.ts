import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { anyTool, makeRawServer } from '../../apps/worker/src/mcp/testing/make-raw-server.js';
import { launchFork, recordsOf, untilEnded } from '../support/e2e/agents.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

const manifest = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/package.json',
);
const everything = join(dirname(manifest), 'dist/index.js');
const echo = 'mcp__everything__echo';
const sum = 'mcp__everything__get-sum';

const script = {
  rules: [
    { when: { toolResultsSinceLastUser: { atLeast: 1 } }, answer: { text: 'Both calls are answered.' } },
    {
      answer: {
        text: 'I call both.',
        toolCalls: [
          { name: echo, arguments: { message: 'hello' } },
          { name: sum, arguments: { a: 1, b: 2 } },
        ],
      },
    },
  ],
};

/** Process ids of the servers that were started with this folder as theirs. */
async function serversIn(folder: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_pid, index) =>
    lines[index]?.split('\0').slice(0, 4).join(' ').endsWith(`${everything} stdio ${folder}`),
  );
}

describe('a session with an MCP server', () => {
  let system: TestSystem;
  let workspace: string;
  let sessionId: string;

  beforeAll(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-mcp-'));
    system = await startSystem({ workers: 1 });
    await system.models.script('mcp', script);
    const opened = await system.api.post<{ id: string }>('/v1/sessions', {
      projectRoot: workspace,
      model: 'scripted:mcp',
      approvalMode: 'yolo',
      systemInstruction: 'You test MCP servers. Do as the script says.',
      tools: { builtin: ['read_file'] },
      mcpServers: {
        everything: { command: process.execPath, args: [everything, 'stdio', workspace] },
        broken: { command: 'there-is-no-such-program' },
      },
      history: { format: 'openai', messages: [{ role: 'user', content: 'Remember the number 42.' }] },
    });
    sessionId = opened.id;
  });
  afterAll(async () => {
    await system.stop();
    const left = await serversIn(workspace);
    await rm(workspace, { recursive: true });
    expect(left).toEqual([]);
  });

  it('[POL-7] [M01] a fork with one tool of a server runs that tool and no other, and is told of a server that failed', async () => {
    const agentId = await launchFork(system.api, sessionId, 'Call both.', [echo]);
    expect((await untilEnded(system.api, agentId)).status).toBe('completed');
    const records = await recordsOf(system.api, agentId);
    const of = (type: string) => records.filter((record) => record.type === type).map(({ data }) => data);
    const { surface } = of('RunStarted')[0] as {
      surface: { declared: string[]; executable: string[]; withheld: { name: string; reason: string }[] };
    };
    expect(surface.declared).toEqual(expect.arrayContaining(['read_file', echo, sum]));
    expect(surface.executable).toEqual([echo]);
    expect(surface.withheld).toContainEqual({
      name: 'mcp__broken',
      reason: expect.stringContaining('server_failed: ') as unknown,
    });
    expect(of('ToolCallFinished')).toEqual([
      expect.objectContaining({ name: echo, outcome: 'ok', content: 'Echo: hello' }),
    ]);
    expect(of('ToolCallRefused')).toEqual([
      expect.objectContaining({ name: sum, reason: 'not_in_allowlist' }),
    ]);
  });

  it('[M13] eight forks at once share the server of their worker', async () => {
    const launched = await Promise.all(
      Array.from({ length: 8 }, () => launchFork(system.api, sessionId, 'Call both.')),
    );
    const ended = await Promise.all(launched.map((agentId) => untilEnded(system.api, agentId)));
    expect(ended.map(({ status }) => status)).toEqual(launched.map(() => 'completed'));
    expect(await serversIn(workspace)).toHaveLength(1);
    const refused = (await system.models.requests()).filter((request) => request.status !== 200);
    expect(refused).toEqual([]);
  });

  it('[M05] a change that a server announces in a run is recorded and binds the next turn', async () => {
    const server = await makeRawServer({ tools: [anyTool('old')], announce: true });
    const plan = JSON.stringify({ tools: [anyTool('fresh')], announce: true });
    const command = `printf %s '${plan}' > ${server.folder}/plan.json; sleep 4`;
    await system.models.script('change', {
      rules: [
        { when: { toolResultCount: { atLeast: 2 } }, answer: { text: 'Done.' } },
        {
          when: { toolResultCount: { atLeast: 1 } },
          answer: {
            toolCalls: ['mcp__raw__fresh', 'mcp__raw__old'].map((name) => ({ name, arguments: {} })),
          },
        },
        { answer: { toolCalls: [{ name: 'run_shell_command', arguments: { command } }] } },
      ],
    });
    const opened = await system.api.post<{ id: string }>('/v1/sessions', {
      projectRoot: workspace,
      model: 'scripted:change',
      approvalMode: 'yolo',
      systemInstruction: 'You test MCP servers. Do as the script says.',
      mcpServers: { raw: server.config },
    });
    const agentId = await launchFork(system.api, opened.id, 'Change the server, then call it.');
    expect((await untilEnded(system.api, agentId)).status).toBe('completed');
    const records = await recordsOf(system.api, agentId);
    const facts = records.map(({ type, data }) => {
      const { drift } = (data['surface'] ?? {}) as { drift?: { lost: string[]; granted: string[] } };
      return [type, data['name'] ?? drift?.lost ?? null, data['reason'] ?? drift?.granted ?? null];
    });
    expect(facts.filter(([type]) => type === 'SurfaceChanged')).toEqual([
      ['SurfaceChanged', ['mcp__raw__old'], ['mcp__raw__fresh']],
    ]);
    expect(facts).toContainEqual(['ToolCallFinished', 'mcp__raw__fresh', null]);
    expect(facts).toContainEqual(['ToolCallRefused', 'mcp__raw__old', 'undeclared']);
    await server.remove();
  });
});
