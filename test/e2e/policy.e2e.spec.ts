import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findChromium } from '#platform';
import { conformanceTable } from '../../libs/policy/src/testing/conformance.js';
import { killWorkersOf, recordsOf, untilAgent, untilEnded, untilRecorded } from '../support/e2e/agents.js';
import { untilAsked } from '../support/e2e/approvals.js';
import { PolicySession } from '../support/e2e/policy-session.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

const toolCalls = (...calls: readonly [string, object][]) => ({
  toolCalls: calls.map(([name, args]) => ({ name, arguments: args })),
});
const readInput = toolCalls(['read_file', { path: 'input.txt' }]);
const shell = toolCalls(['run_shell_command', { command: 'echo ran >> effect.log' }]);

/** What an agent does is in its prompt: nothing, one batch of two calls, or a read and, much later, a command. */
const script = {
  rules: [
    {
      when: { lastUserContains: 'both at once', lastRole: 'user' },
      answer: { toolCalls: [...readInput.toolCalls, ...shell.toolCalls] },
    },
    { when: { lastUserContains: 'read, then run', lastRole: 'user' }, answer: readInput },
    {
      when: { lastUserContains: 'read, then run', toolResultsSinceLastUser: 1 },
      answer: shell,
      delivery: { delayMs: 2_500 },
    },
    {
      when: { lastUserContains: 'take your time', lastRole: 'user' },
      answer: { text: 'At last.' },
      delivery: { delayMs: 60_000 },
    },
    {
      when: { lastUserMatches: 'Delegate to (\\w+)', lastRole: 'user' },
      answer: toolCalls([
        'agent',
        {
          description: 'a fork',
          prompt: 'Do both at once.',
          subagent_type: 'fork',
          fork_profile: '{{match:1}}',
        },
      ]),
    },
    { answer: { text: 'Done.' } },
  ],
};

const codes: Readonly<Record<string, string>> = {
  applicability: 'AGENT_CALL_NOT_APPLICABLE',
  teammate: 'TEAMMATES_NOT_SUPPORTED',
  combination: 'AGENT_CALL_COMBINATION',
};
/** Content that is judged by a parser of its own keeps that parser's code. */
const contentCodes: Readonly<Record<string, string>> = {
  fork_tools: 'ALLOWLIST_INVALID',
  fork_profile: 'PROFILE_NAME_INVALID',
  forkTools: 'AGENT_CALL_INVALID',
  model: 'AGENT_CALL_NOT_APPLICABLE',
  isolation: 'AGENT_CALL_NOT_APPLICABLE',
  working_dir: 'AGENT_CALL_NOT_APPLICABLE',
};

interface CallRow {
  readonly id: string;
  readonly why: string;
  readonly call: Readonly<Record<string, unknown>>;
  readonly expect: { readonly ok: boolean; readonly reason?: string; readonly parameter?: string };
}
const callRows = conformanceTable<readonly CallRow[]>('agent-call-validation.json');
const codeOf = ({ expect: { reason = 'content', parameter = '' } }: CallRow): string =>
  codes[reason] ?? contentCodes[parameter] ?? 'AGENT_CALL_INVALID';
const isFork = ({ call }: CallRow): boolean => String(call['subagent_type']).toLowerCase() === 'fork';

let system: TestSystem;
let workspace: string;

beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'offshoot-policy-'));
  await writeFile(join(workspace, 'input.txt'), 'the input\n');
  await mkdir(join(workspace, '.qwen', 'fork-profiles'), { recursive: true });
  await mkdir(join(workspace, '.qwen', 'agents'), { recursive: true });
  await putProfile('ro-research', '[read_file, grep_search]');
  system = await startSystem({ workers: 2, operator: { classifier: { model: 'scripted:classifier' } } });
  await system.models.script('policy', script);
  // Slow, so that a file can be written while it judges.
  const verdict = { text: '{"verdict":"allow","reason":"harmless"}' };
  await system.models.script('classifier', { rules: [{ answer: verdict, delivery: { delayMs: 3_000 } }] });
});
afterAll(async () => {
  await system.stop();
  await rm(workspace, { recursive: true });
});

const putProfile = (name: string, tools: string): Promise<void> =>
  writeFile(
    join(workspace, '.qwen', 'fork-profiles', `${name}.md`),
    `---\nname: ${name}\ntools: ${tools}\n---\n`,
  );

const open = (runtime: object = {}): Promise<PolicySession> =>
  PolicySession.open(system, {
    projectRoot: workspace,
    model: 'scripted:policy',
    approvalMode: 'yolo',
    ...runtime,
  });

const fork = (more: object = {}) => ({
  description: 'a fork',
  prompt: 'Do nothing.',
  subagent_type: 'fork',
  ...more,
});

describe('the Agent call over HTTP', () => {
  let session: PolicySession;
  beforeAll(async () => (session = await open()));

  it.each(callRows.filter((row) => !row.expect.ok))(
    '[T11] [T13] $id is refused with its code, and leaves one LaunchRefused: $why',
    async (row) => {
      const before = (await session.types()).length;
      const answer = await session.launch(row.call);
      expect({ status: answer.status, code: answer.body['code'] }).toEqual({
        status: 422,
        code: codeOf(row),
      });
      expect((await session.types()).slice(before)).toEqual(['LaunchRefused']);
    },
  );

  it('a call that was refused created nothing', async () => {
    expect(await session.agents()).toEqual([]);
    expect(new Set(await session.types())).toEqual(
      new Set(['SessionOpened', 'MessageAppended', 'LaunchRefused']),
    );
  });

  it.each(callRows.filter((row) => row.expect.ok && isFork(row)))('$id launches: $why', async ({ call }) => {
    const answer = await session.launch(call);
    expect([answer.status, answer.location]).toEqual([202, `/v1/agents/${String(answer.body['id'])}`]);
    const agent = await system.api.get<{ policy: object }>(answer.location);
    const profile = call['fork_profile'] === undefined ? undefined : ['read_file', 'grep_search'];
    const list = call['fork_tools'] ?? profile;
    expect(agent.policy).toMatchObject(
      list === undefined ? { kind: 'unrestricted' } : { kind: 'list', entries: list },
    );
  });

  it('names every bad entry of a list', async () => {
    const { status, body } = await session.launch(
      fork({ fork_tools: ['read_file', 'read_*', ' x', 'read_*'] }),
    );
    expect([status, body['code'], body['offenders']]).toEqual([422, 'ALLOWLIST_INVALID', ['read_*', ' x']]);
  });
});

interface ModeRow {
  readonly id: string;
  readonly why: string;
  readonly mode: string;
  readonly fork_tools?: unknown;
  readonly expect: { readonly ok: boolean; readonly reason?: string; readonly offending?: readonly string[] };
}
// A session is only opened in a mode that there is.
const modeRows = conformanceTable<readonly ModeRow[]>('fork-mode-gate.json').filter(
  ({ mode }) => mode !== 'Build',
);

describe('the gate of the workflow mode over HTTP', () => {
  const sessions = new Map<string, PolicySession>();

  it.each(modeRows)('[POL-10] $id: $why', async ({ mode, expect: expected, ...row }) => {
    const session = sessions.get(mode) ?? (await open({ workflowMode: mode }));
    sessions.set(mode, session);
    const list = Object.hasOwn(row, 'fork_tools') ? { fork_tools: row.fork_tools } : {};
    const before = (await session.types()).length;
    const { status, body, location } = await session.launch(fork(list));
    if (expected.ok) {
      const agent = await system.api.get<{ ceiling: unknown }>(location);
      expect(agent.ceiling === null).toBe(mode === 'build');
      return;
    }
    expect(status).toBe(422);
    expect(body['code']).toBe(expected.reason === 'mode' ? 'TOOLS_OUTSIDE_MODE' : 'ALLOWLIST_INVALID');
    if (expected.offending !== undefined) expect(body['offenders']).toEqual(expected.offending);
    // Outcomes of accepted forks come in between.
    const added = (await session.types()).slice(before).filter((type) => type !== 'OutcomeDelivered');
    expect(added).toEqual(['LaunchRefused']);
  });

  it('[POL-10] an omitted list outside Build mode runs under the closed list', async () => {
    const session = await open({ workflowMode: 'plan' });
    const id = await session.launched(fork({ prompt: 'Do both at once.' }));
    await untilEnded(system.api, id);
    expect(await session.refusals(id)).toEqual([['run_shell_command', 'blocked_by_mode']]);
  });
});

describe('lists of a running fork', () => {
  it.each([
    [
      '[POL-2] the empty list denies every tool',
      [],
      [
        ['read_file', 'deny_all'],
        ['run_shell_command', 'deny_all'],
      ],
    ],
    [
      'an unknown name matches nothing',
      ['no_such_tool', 'read_file'],
      [['run_shell_command', 'not_in_allowlist']],
    ],
    [
      'a wildcard of MCP tools matches no built-in',
      ['mcp__*', 'run_shell_command'],
      [['read_file', 'not_in_allowlist']],
    ],
  ])('%s', async (_what, list, refusals) => {
    const session = await open();
    const id = await session.launched(fork({ prompt: 'Do both at once.', fork_tools: list }));
    expect((await untilEnded(system.api, id)).status).toBe('completed');
    expect(await session.refusals(id)).toEqual(refusals);
  });

  it('[POL-9] [T22] a profile edited between launch and revival changes nothing', async () => {
    await putProfile('narrow', '[read_file]');
    const session = await open();
    const id = await session.launched(fork({ prompt: 'Now read, then run.', fork_profile: 'narrow' }));
    await untilRecorded(system.api, id, 'ToolCallFinished', 'read_file');
    await putProfile('narrow', '[read_file, run_shell_command]');
    await killWorkersOf(system.api, id);
    const agent = await untilEnded(system.api, id);
    const records = await recordsOf(system.api, id);
    expect([agent.status, agent.epoch, agent.policy.entries]).toEqual(['completed', 2, ['read_file']]);
    expect(records.filter(({ type }) => type === 'RunInterrupted')).toHaveLength(1);
    expect(await session.refusals(id)).toEqual([['run_shell_command', 'not_in_allowlist']]);
    expect(await session.executableSets(id)).toEqual([['read_file'], ['read_file']]);
  });
});

describe('a launch that a person is asked about', () => {
  const ask = async (profile: string): Promise<PolicySession> => {
    const session = await open({ approvalMode: 'default' });
    await session.post(`/v1/sessions/${session.id}/messages`, { text: `Delegate to ${profile}` });
    return session;
  };
  /** The approval as recorded, with a text in it; it can be answered once the inbox has it. */
  const asked = async (session: PolicySession, containing: string): Promise<string> => {
    const { data } = await untilRecorded(system.api, session.id, 'ApprovalRequested', containing);
    const [approval] = await untilAsked(system.api, [session.id], ({ id }) => id === data['approvalId']);
    return approval?.id ?? '';
  };
  const allow = (session: PolicySession, id: string) =>
    session.post(`/v1/approvals/${id}`, { decision: 'allow' });
  const child = async (session: PolicySession): Promise<string> => {
    const { data } = await untilRecorded(system.api, session.id, 'ToolCallFinished', 'was launched');
    return /Agent (\S+) was launched/.exec(String(data['content']))?.[1] ?? '';
  };

  /** A request to the classifier is on its way and not answered yet. */
  const untilJudging = async (): Promise<void> => {
    const isJudging = async (): Promise<boolean> =>
      (await system.models.requests()).some(
        ({ body, end }) => end === null && body.includes('executableTools'),
      );
    while (!(await isJudging())) await pause(20);
  };

  it('[POL-9] [T22] [T25] launches what was asked about, whatever was written into the profile meanwhile', async () => {
    await putProfile('asked', '[read_file]');
    const session = await ask('asked');
    const approval = await asked(session, 'read_file');
    await putProfile('asked', '[read_file, run_shell_command]');
    await allow(session, approval);
    const id = await child(session);
    const agent = await untilEnded(system.api, id);
    expect([agent.status, agent.policy.entries]).toEqual(['completed', ['read_file']]);
    expect(await session.refusals(id)).toEqual([['run_shell_command', 'not_in_allowlist']]);
  });

  it('[POL-9] [T22] launches what a classifier judged, whatever was written into the profile meanwhile', async () => {
    await putProfile('judged', '[read_file]');
    const session = await open({ approvalMode: 'auto' });
    await session.post(`/v1/sessions/${session.id}/messages`, { text: 'Delegate to judged' });
    await untilJudging();
    await putProfile('judged', '[read_file, run_shell_command]');
    const id = await child(session);
    const agent = await untilEnded(system.api, id);
    expect([agent.status, agent.policy.entries]).toEqual(['completed', ['read_file']]);
    expect(await session.types()).toContain('ToolCallClassified');
    expect(await session.refusals(id)).toEqual([['run_shell_command', 'not_in_allowlist']]);
  });

  it('[T25] is asked about again when the workflow mode changed meanwhile', async () => {
    await putProfile('moded', '[read_file]');
    const session = await ask('moded');
    const first = await asked(session, 'moded');
    await session.changeRuntime({ workflowMode: 'plan' });
    await allow(session, first);
    const second = await asked(session, 'closed_list');
    expect(await session.types()).not.toContain('ToolCallStarted');
    await allow(session, second);
    const agent = await system.api.get<{ ceiling: unknown }>(`/v1/agents/${await child(session)}`);
    expect(agent.ceiling).not.toBeNull();
  });

  it('[T20] is refused before anybody is asked when its profile cannot be read', async () => {
    const session = await ask('missing');
    await untilRecorded(system.api, session.id, 'ToolCallFinished', 'agent');
    const types = await session.types();
    expect([types.includes('LaunchRefused'), types.includes('ApprovalRequested')]).toEqual([true, false]);
    expect(await session.agents()).toEqual([]);
  });
});

const putDefinition = (name: string, front: string): Promise<void> =>
  writeFile(
    join(workspace, '.qwen', 'agents', `${name}.md`),
    `---\nname: ${name}\ndescription: For a test.\n${front}\n---\nDo as you are told.\n`,
  );

describe('agents from definitions', () => {
  const explorer = { description: 'explore', prompt: 'Do both at once.', subagent_type: 'explorer' };
  const readers = ['glob', 'grep_search', 'list_directory', 'read_file'];
  const inBrowser =
    findChromium() === null ? [] : ['browser_console', 'browser_network', 'browser_screenshot'];

  it.each(['build', 'plan'])(
    'the bundled explorer launches in mode %s with its readers and no more',
    async (mode) => {
      const session = await open({ workflowMode: mode });
      const id = await session.launched(explorer);
      expect((await untilEnded(system.api, id)).status).toBe('completed');
      const { declared } = await session.surface(id);
      expect(declared.filter((name) => name !== 'ask_question').sort()).toEqual([...inBrowser, ...readers]);
      expect(await session.refusals(id)).toEqual([['run_shell_command', 'undeclared']]);
    },
  );

  it('[POL-10] the bundled worker is refused outside Build mode, by its tools as written', async () => {
    const session = await open({ workflowMode: 'review' });
    for (const type of [{}, { subagent_type: 'worker' }]) {
      const { status, body } = await session.launch({ description: 'work', prompt: 'Work.', ...type });
      expect([status, body['code'], body['offenders']]).toEqual([
        422,
        'TOOLS_OUTSIDE_MODE',
        ['bash', 'edit', 'write'],
      ]);
    }
    expect(await session.agents()).toEqual([]);
  });

  it('an unknown definition is refused, and a malformed one is not replaced by another tier', async () => {
    await writeFile(
      join(workspace, '.qwen', 'agents', 'explorer.md'),
      '---\nname: explorer\n---\nNo tools.\n',
    );
    const session = await open();
    for (const subagent_type of ['no-such-agent', 'explorer'])
      expect(await session.launch({ ...explorer, subagent_type })).toMatchObject({
        status: 422,
        body: { code: 'DEFINITION_INVALID' },
      });
    await rm(join(workspace, '.qwen', 'agents', 'explorer.md'));
  });

  it('[POL-5] a nested agent is bounded by the agents above it, whatever its own definition lists', async () => {
    await putDefinition('lead-reader', 'tools: [read]\nagents: [shell-helper]');
    await putDefinition('shell-helper', 'tools: [read, bash]');
    const session = await open();
    const lead = await session.launched({
      description: 'lead',
      prompt: 'Please take your time.',
      subagent_type: 'lead-reader',
    });
    await untilAgent(system.api, lead, ({ status }) => status === 'running');
    const parent = session.as(lead);
    const id = await parent.launched({
      description: 'help',
      prompt: 'Do both at once.',
      subagent_type: 'shell-helper',
    });
    expect((await untilEnded(system.api, id)).status).toBe('completed');
    expect(await session.refusals(id)).toEqual([['run_shell_command', 'not_in_allowlist']]);
    expect((await session.surface(id)).declared).toContain('run_shell_command');
    expect(await parent.launch(explorer)).toMatchObject({ status: 422, body: { offenders: ['explorer'] } });
    expect(await parent.launch(fork())).toMatchObject({ status: 409, body: { code: 'SPAWN_FORBIDDEN' } });
    await system.api.post(`/v1/agents/${lead}/cancel`);
  });

  it('[POL-8] a fork launches nothing, whatever its list', async () => {
    const session = await open();
    const id = await session.launched(fork({ prompt: 'Please take your time.', fork_tools: ['agent'] }));
    const answer = await session.as(id).launch(explorer);
    expect([answer.status, answer.body['code']]).toEqual([409, 'SPAWN_FORBIDDEN']);
    await system.api.post(`/v1/agents/${id}/cancel`);
  });
});
