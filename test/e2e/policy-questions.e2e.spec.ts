import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ToolIdentity, wireName } from '#policy';
import { conformanceTable } from '../../libs/policy/src/testing/conformance.js';
import { untilEnded } from '../support/e2e/agents.js';
import { PolicySession } from '../support/e2e/policy-session.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(120_000);

const main = join(import.meta.dirname, '..', '..', 'dist/apps/cli/src/main.js');

const read = (path: string) => ({ name: 'read_file', arguments: { path } });
const script = {
  rules: [
    {
      when: { toolResultsSinceLastUser: 0 },
      answer: {
        toolCalls: [
          read('input.txt'),
          read('missing.txt'),
          { name: 'run_shell_command', arguments: { command: 'true' } },
          { name: 'made_up', arguments: {} },
        ],
      },
    },
    { answer: { text: 'Done.' } },
  ],
};

interface Answer {
  readonly policy: object;
  readonly surface: readonly { readonly wireName: string; readonly identity: ToolIdentity }[];
  readonly withheld: readonly object[];
  readonly decisions: readonly {
    readonly call: string;
    readonly allowed: boolean;
    readonly reason: string | null;
  }[];
}

let system: TestSystem;
let workspace: string;
let session: PolicySession;
/** A fork that read a file, failed to read another, and was refused a command. */
let finished: string;

beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'offshoot-questions-'));
  await writeFile(join(workspace, 'input.txt'), 'the input\n');
  const profiles = join(workspace, '.qwen', 'fork-profiles');
  await mkdir(profiles, { recursive: true });
  await writeFile(join(profiles, 'readers.md'), '---\nname: readers\ntools: [read_file]\n---\n');
  await writeFile(join(profiles, 'broken.md'), '---\nname: broken\ntools:\n  - "*"\n---\n');
  system = await startSystem({ workers: 1 });
  await system.models.script('questions', script);
  session = await open();
  finished = await session.launched({
    description: 'a fork',
    prompt: 'Call your tools.',
    subagent_type: 'fork',
    fork_tools: ['read_file', 'glob'],
  });
  await untilEnded(system.api, finished);
});
afterAll(async () => {
  await system.stop();
  await rm(workspace, { recursive: true });
});

const open = (runtime: object = {}): Promise<PolicySession> =>
  PolicySession.open(system, {
    projectRoot: workspace,
    model: 'scripted:questions',
    approvalMode: 'yolo',
    ...runtime,
  });

const ask = (question: object) => session.post('/v1/policy/evaluate', question);

async function answerTo(question: object): Promise<Answer> {
  const { status, body } = await ask(question);
  if (status !== 200) throw new Error(`The question was refused: ${JSON.stringify(body)}`);
  return body as unknown as Answer;
}

/** A surface of these tools, in the words of the API. */
const surfaceOf = (tools: readonly ToolIdentity[]) => ({
  builtin: tools.flatMap((tool) => ('name' in tool ? [tool.name] : [])),
  mcp: tools.filter((tool) => 'server' in tool),
});

interface MatchRow {
  readonly id: string;
  readonly fork_tools?: unknown;
  readonly tool: ToolIdentity;
  readonly expect: 'allow' | 'deny';
}
interface ModeRow {
  readonly id: string;
  readonly mode: string;
  readonly fork_tools?: unknown;
  readonly expect: {
    readonly ok: boolean;
    readonly offending?: readonly string[];
    readonly runs?: readonly ToolIdentity[];
    readonly blocks?: readonly ToolIdentity[];
  };
}
interface ToolsetRow {
  readonly id: string;
  readonly mode: string;
  readonly tools: readonly string[];
  readonly expect: { readonly ok: boolean; readonly offending?: readonly string[] };
}
const listOf = (row: { fork_tools?: unknown }): object =>
  Object.hasOwn(row, 'fork_tools') ? { fork_tools: row.fork_tools } : {};

describe('POST /v1/policy/evaluate', () => {
  it('answers policy, surface, what is withheld, and a decision for each call in order', async () => {
    const answer = await answerTo({
      kind: 'fork',
      fork_tools: ['read_file'],
      surface: { builtin: ['read_file', 'edit'], mcp: [{ server: 'bad__name', tool: 'x' }] },
      calls: ['edit', 'read_file', 'edit', 'nope'],
    });
    expect(answer).toEqual({
      policy: { kind: 'list', entries: ['read_file'] },
      surface: [
        { wireName: 'read_file', identity: { name: 'read_file' } },
        { wireName: 'edit', identity: { name: 'edit' } },
      ],
      withheld: [
        {
          identity: { server: 'bad__name', tool: 'x' },
          wireName: 'mcp__bad__name__x',
          reason: 'server_name',
        },
      ],
      decisions: [
        { call: 'edit', allowed: false, reason: 'not_in_allowlist' },
        { call: 'read_file', allowed: true, reason: null },
        { call: 'edit', allowed: false, reason: 'not_in_allowlist' },
        { call: 'nope', allowed: false, reason: 'undeclared' },
      ],
    });
  });

  it('[POL-4] every row of the matching table gets its answer', async () => {
    const { match } = conformanceTable<{ match: readonly MatchRow[] }>('allowlist-match.json');
    for (const row of match) {
      const call = wireName(row.tool);
      const { decisions } = await answerTo({ ...listOf(row), surface: surfaceOf([row.tool]), calls: [call] });
      expect([row.id, decisions[0]?.allowed]).toEqual([row.id, row.expect === 'allow']);
    }
  });

  it('[POL-10] every row of the fork mode table gets its answer', async () => {
    for (const row of conformanceTable<readonly ModeRow[]>('fork-mode-gate.json')) {
      const { ok, offending, runs = [], blocks = [] } = row.expect;
      const tools = [...runs, ...blocks];
      const question = {
        mode: row.mode,
        ...listOf(row),
        surface: surfaceOf(tools),
        calls: tools.map(wireName),
      };
      const { status, body } = await ask(question);
      expect([row.id, status]).toEqual([row.id, ok ? 200 : 422]);
      if (offending !== undefined) expect(body['offenders']).toEqual(offending);
      if (ok) {
        const { decisions } = body as unknown as Answer;
        expect(decisions.filter(({ allowed }) => allowed).map(({ call }) => call)).toEqual(
          runs.map(wireName),
        );
      }
    }
  });

  it('[POL-10] every row of the definition table gets its answer', async () => {
    for (const { id, mode, tools, expect: expected } of conformanceTable<readonly ToolsetRow[]>(
      'definition-toolsets.json',
    )) {
      const { status, body } = await ask({
        kind: 'subagent',
        mode,
        tools,
        surface: surfaceOf([]),
        calls: [],
      });
      expect([id, status]).toEqual([id, expected.ok ? 200 : 422]);
      if (expected.offending !== undefined) expect(body['offenders']).toEqual(expected.offending);
    }
  });

  it('takes the surface that an agent last ran with', async () => {
    const { surface, decisions } = await answerTo({
      agentId: finished,
      fork_tools: [],
      calls: ['read_file', 'agent'],
    });
    expect(surface.map((tool) => tool.wireName)).toContain('run_shell_command');
    expect(decisions[0]).toEqual({ call: 'read_file', allowed: false, reason: 'deny_all' });
  });

  it('[POL-9] reads a profile of the project of a session, in its modes', async () => {
    const question = {
      fork_profile: 'readers',
      surface: { builtin: ['read_file', 'edit'] },
      calls: ['read_file', 'edit'],
    };
    const { policy, decisions } = await answerTo({ ...question, sessionId: session.id });
    expect(policy).toEqual({ kind: 'list', entries: ['read_file'] });
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, false]);
    const planning = await open({ workflowMode: 'plan' });
    const shells = { fork_tools: ['edit'], surface: question.surface, calls: [] };
    expect((await ask({ ...shells, sessionId: planning.id })).body['code']).toBe('TOOLS_OUTSIDE_MODE');
    const bare = await open({ bareMode: true });
    expect((await ask({ ...question, sessionId: bare.id })).body['code']).toBe('BARE_MODE');
  });

  const surface = { builtin: ['read_file'] };
  it.each([
    ['a bad list', { fork_tools: ['*'], surface }, 'ALLOWLIST_INVALID'],
    ['null for a list', { fork_tools: null, surface }, 'ALLOWLIST_INVALID'],
    ['a list and a profile', { fork_tools: [], fork_profile: 'readers', surface }, 'AGENT_CALL_COMBINATION'],
    [
      'a list for a subagent',
      { kind: 'subagent', tools: ['read'], fork_tools: [], surface },
      'AGENT_CALL_NOT_APPLICABLE',
    ],
    ['tools for a fork', { kind: 'fork', tools: ['read'], surface }, 'AGENT_CALL_NOT_APPLICABLE'],
    ['a definition without tools', { kind: 'subagent', tools: [], surface }, 'DEFINITION_INVALID'],
    ['a profile of no project', { fork_profile: 'readers', surface }, 'REQUEST_INVALID'],
    ['no surface', { fork_tools: [] }, 'REQUEST_INVALID'],
    ['an unknown member', { forkTools: [], surface }, 'REQUEST_INVALID'],
  ])('refuses %s', async (_what, question, code) => {
    const { status, body } = await ask({ calls: [], ...question });
    expect([status, body['code']]).toEqual([422, code]);
  });

  it('has no side effects, and needs a key', async () => {
    const before = await session.types();
    await ask({ fork_tools: ['*'], surface, calls: [], sessionId: session.id });
    expect(await session.types()).toEqual(before);
    const response = await fetch(`${system.api.address}/v1/policy/evaluate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(401);
  });
});

describe('questions about what an agent did', () => {
  it('suggest: the least list, what each entry was used for, and what was refused', async () => {
    const { status, body } = await session.post('/v1/policy/suggest', { agentId: finished });
    expect([status, body['fork_tools']]).toEqual([200, ['read_file']]);
    expect(body['uses']).toEqual([
      { entry: 'read_file', tool: { name: 'read_file' }, calls: 2, outcomes: { ok: 1, error: 1 } },
    ]);
    expect(body['refused']).toMatchObject([
      { name: 'run_shell_command', reason: 'not_in_allowlist', calls: 1 },
      { name: 'made_up', tool: null, reason: 'undeclared', calls: 1 },
    ]);
  });

  it('suggest: an agent that has not ended is a conflict, one that does not exist is not found', async () => {
    const answers = [session.id, '01890000-0000-7000-8000-000000000001'].map((agentId) =>
      session.post('/v1/policy/suggest', { agentId }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([409, 404]);
  });

  it('replay: which recorded calls a list would have refused, and which it would have let through', async () => {
    const { body } = await session.post('/v1/policy/replay', {
      agentId: finished,
      fork_tools: ['run_shell_command'],
    });
    expect(body).toMatchObject({
      calls: 4,
      refusedCalls: 3,
      refused: [
        { turn: 1, index: 0, name: 'read_file', reason: 'not_in_allowlist', recordedReason: null },
        { turn: 1, index: 1, name: 'read_file', reason: 'not_in_allowlist', recordedReason: null },
        { turn: 1, index: 3, name: 'made_up', reason: 'undeclared', recordedReason: 'undeclared' },
      ],
      newlyAllowed: [{ turn: 1, index: 2, name: 'run_shell_command', reason: null }],
    });
    const planned = { agentId: finished, fork_tools: ['run_shell_command'], mode: 'plan' };
    expect(await session.post('/v1/policy/replay', planned)).toMatchObject({
      status: 422,
      body: { code: 'TOOLS_OUTSIDE_MODE', offenders: ['run_shell_command'] },
    });
    for (const fork_tools of [{}, { fork_tools: null }, { fork_tools: '' }])
      expect((await session.post('/v1/policy/replay', { agentId: finished, ...fork_tools })).status).toBe(
        422,
      );
  });
});

interface Run {
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}

/** The command line as a program reads it: its exit code and both outputs. */
function offshoot(...args: readonly string[]): Promise<Run> {
  const env = { ...process.env, OFFSHOOT_DATA_DIR: system.dataDir, NODE_OPTIONS: '' };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });
}

describe('the command line', () => {
  it('finds the server that runs over the data directory and suggests a list', async () => {
    const { code, out } = await offshoot('policy', 'suggest', finished, '--json');
    expect([code, (JSON.parse(out) as { fork_tools: unknown }).fork_tools]).toEqual([0, ['read_file']]);
    expect((await offshoot('policy', 'suggest', finished)).out).toContain('read_file  2      1 ok, 1 error');
    expect((await offshoot('policy', 'suggest', session.id)).code).toBe(2);
  });

  it('judges a list on the surface of an agent', async () => {
    const tools = ['--tools', 'read_file,nope', '--agent', finished];
    const { code, out } = await offshoot('policy', 'check', ...tools, '--json');
    const answer = JSON.parse(out) as Answer & { entries: readonly object[] };
    expect([code, answer.entries]).toEqual([
      0,
      [
        { entry: 'read_file', matches: ['read_file'] },
        { entry: 'nope', matches: [] },
      ],
    ]);
    expect((await offshoot('policy', 'check', ...tools, '--call', 'edit')).code).toBe(1);
    expect((await offshoot('policy', 'check', '--tools', '*', '--agent', finished)).code).toBe(1);
  });

  it('judges a list without a server, and tells a bad one by its exit code', async () => {
    expect((await offshoot('policy', 'check', '--tools', 'read_file', '--call', 'read_file')).code).toBe(0);
    const bad = await offshoot('policy', 'check', '--tools', 'read_file, x', '--json');
    expect([bad.code, JSON.parse(bad.out)]).toMatchObject([1, { error: { offenders: [' x'] } }]);
  });

  it('checks the profiles of a project, with the line of each fault', async () => {
    const { code, out } = await offshoot('profiles', 'check', workspace);
    expect(code).toBe(1);
    expect(out).toContain('.qwen/fork-profiles/broken.md:4: PROFILE_FILE_INVALID: ');
    expect(out).toMatch(/^readers {2}1 {8}read_file$/m);
  });
});
