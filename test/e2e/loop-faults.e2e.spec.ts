import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  killWorkersOf,
  launchFork,
  openSession,
  recordsOf,
  untilAgent,
  untilEnded,
  untilRecorded,
} from '../support/e2e/agents.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { until } from '../support/e2e/processes.js';
import { rawRequest } from '../support/e2e/raw-request.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

const call = (name: string, given: object | string = {}) => ({ name, arguments: given });
const write = (text: string) => call('run_shell_command', { command: `echo ${text} >> effect.log` });
const thought = 'The words of a reasoning that nobody may touch.';

describe.each(['scripted', 'anthropic'])('the loop over a model that errs (%s)', (protocol) => {
  let system: TestSystem;
  let workspace: string;

  beforeAll(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-loop-'));
    await writeFile(join(workspace, 'input.txt'), 'the input\n');
    const small = { contextWindow: 7_000 };
    system = await startSystem({ workers: 2, operator: { models: { [`${protocol}:small`]: small } } });
  });
  afterAll(async () => {
    await system.stop();
    await rm(workspace, { recursive: true });
  });

  const open = async (name: string, rules: readonly object[], more: object = {}): Promise<string> => {
    await system.models.script(name, { rules, ...more });
    return openSession(system.api, { projectRoot: workspace, model: `${protocol}:${name}` });
  };
  const of = async (agent: string, type: RegExp) =>
    (await recordsOf(system.api, agent)).filter((record) => type.test(record.type)).map(({ data }) => data);
  const answersOf = async (agent: string): Promise<readonly (readonly unknown[])[]> =>
    (await of(agent, /^ToolCall(Finished|Refused)$/)).map((data) => [
      data['name'],
      data['reason'] ?? data['outcome'],
    ]);
  const effects = async (): Promise<readonly string[]> =>
    (await readFile(join(workspace, 'effect.log'), 'utf8').catch(() => '')).split('\n').slice(0, -1);
  const statusesOf = async (...agents: string[]) =>
    (await requestsOf(system.models, ...agents)).map(({ status }) => status);

  it('[L03] an id that comes twice in a turn and again in the next: each call runs once, and gets its own result', async () => {
    const session = await open('dup', [
      { when: { toolResultCount: 4 }, answer: { text: '{{toolResult:0}}' } },
      {
        when: { toolResultCount: 2 },
        answer: { toolCalls: [write('three'), call('read_file', { path: 'no.txt' })], duplicateIds: true },
      },
      { answer: { toolCalls: [write('one'), call('read_file', { path: 'input.txt' })], duplicateIds: true } },
    ]);
    const agent = await launchFork(system.api, session, 'Call them.');
    const { status, usage } = await untilEnded(system.api, agent);
    const results = (await of(agent, /^ToolCallFinished$/)).map((data) => [
      data['call'],
      data['name'],
      data['outcome'],
    ]);
    const [, , last] = await requestsOf(system.models, agent);
    const ids = [...(last?.body.matchAll(/"(?:tool_call_id|tool_use_id)":"([^"]+)"/g) ?? [])].map(
      ([, id]) => id,
    );

    expect([status, usage.turns]).toEqual(['completed', 3]);
    expect(await statusesOf(agent)).toEqual([200, 200, 200]);
    expect((await effects()).filter((line) => line === 'one' || line === 'three')).toEqual(['one', 'three']);
    expect(results).toEqual([
      [{ turn: 1, index: 0, providerId: 'dup' }, 'run_shell_command', 'ok'],
      [{ turn: 1, index: 1, providerId: 'dup' }, 'read_file', 'ok'],
      [{ turn: 2, index: 0, providerId: 'dup' }, 'run_shell_command', 'ok'],
      [{ turn: 2, index: 1, providerId: 'dup' }, 'read_file', 'error'],
    ]);
    expect([ids.length, new Set(ids).size]).toEqual([4, 4]);
  });

  // Nothing is how the one protocol sends no arguments, and a cut in the other.
  const withNothing = protocol === 'anthropic' ? 'run_shell_command' : 'list_directory';
  it.each([
    ['stops in the middle of an argument', { toolCalls: [write('cut')], malformedArguments: true }],
    [
      'has something behind its arguments',
      { toolCalls: [call('run_shell_command', '{"command":"echo cut >> effect.log"} }')] },
    ],
    ['has no arguments at all', { toolCalls: [call(withNothing, '')] }],
    ['stands in a turn that ended at its cap', { toolCalls: [write('cut')], finishReason: 'length' }],
  ])('[L07] a call that %s is not run, is told so, and the fork goes on', async (what, answer) => {
    const session = await open(`cut-${what.length}`, [
      { when: { toolResultCount: { atLeast: 1 } }, answer: { text: 'Then not.' } },
      { answer },
    ]);
    const agent = await launchFork(system.api, session, 'Call it.');
    const ended = await untilEnded(system.api, agent);
    expect(ended).toMatchObject({ status: 'completed', outcome: { result: 'Then not.' } });
    expect(await statusesOf(agent)).toEqual([200, 200]);
    expect(await of(agent, /^ToolCallStarted$/)).toEqual([]);
    expect((await of(agent, /^ToolCallFinished$/)).map((data) => data['outcome'])).toEqual(['error']);
    expect(await effects()).not.toContain('cut');
  });

  it('[L07] a call whose stream breaks off is not run; the turn is asked for again, and the fork goes on', async () => {
    const rule = { answer: { toolCalls: [write('whole')] } };
    const done = { when: { toolResultCount: { atLeast: 1 } }, answer: { text: 'Done.' } };
    const session = await open('broken', [done, { ...rule, delivery: { chunkSize: 4, cutAfterChunks: 4 } }]);
    const agent = await launchFork(system.api, session, 'Call it.');
    await until('the second try', async () => (await statusesOf(agent)).length >= 2);
    expect(await of(agent, /^(TurnRecorded|ToolCall)/)).toEqual([]);
    await system.models.script('broken', { rules: [done, rule] });
    expect((await untilEnded(system.api, agent)).status).toBe('completed');
    expect((await effects()).filter((line) => line === 'whole')).toEqual(['whole']);
    expect(await of(agent, /^TurnRecorded$/)).toHaveLength(2);
  });

  it('[L11] a turn that says nothing leaves a history that a strict provider takes', async () => {
    const session = await open('mute', [
      { when: { lastUserContains: 'Anything?' }, answer: {} },
      { when: { lastUserContains: 'Blank?' }, answer: { text: ' \n ' } },
      { answer: { text: 'I hear you.' } },
    ]);
    for (const [index, text] of ['Anything?', 'Blank?', 'And now?'].entries()) {
      await system.api.post(`/v1/sessions/${session}/messages`, { text });
      await untilAgent(
        system.api,
        session,
        ({ status, usage }) => status === 'idle' && usage.turns === index + 1,
      );
    }
    expect(await statusesOf(session)).toEqual([200, 200, 200]);
    const fork = await launchFork(system.api, session, 'Go on.');
    expect((await untilEnded(system.api, fork)).outcome?.result).toBe('I hear you.');
    expect(await statusesOf(fork)).toEqual([200]);
  });

  it.each([
    [
      'a tool that was never declared',
      { name: 'no_such_tool', arguments: { n: '{{turn}}' } },
      ['no_such_tool', 'undeclared'],
    ],
    [
      'a call that fails in the same way each time',
      call('read_file', { path: 'no.txt' }),
      ['read_file', 'error'],
    ],
    [
      'a call that succeeds in the same way each time',
      call('list_directory', { path: '.' }),
      ['list_directory', 'ok'],
    ],
  ])(
    '[L13] a fork that insists on %s is stopped for want of progress, far below the limit of turns',
    async (_what, insisted, answer) => {
      const session = await open('insist', [{ answer: { toolCalls: [insisted] } }]);
      const agent = await untilEnded(system.api, await launchFork(system.api, session, 'Insist.'));
      expect(agent).toMatchObject({ status: 'failed', outcome: { reason: 'no_progress' } });
      expect(agent.usage.turns).toBeLessThanOrEqual(10);
      expect(new Set((await answersOf(agent.id)).map((given) => given.join(' ')))).toEqual(
        new Set([answer.join(' ')]),
      );
    },
  );

  it('[L21] signed reasoning goes back whole to its model, in a fork, after a revival and after a compaction; and not at all to another', async () => {
    const rules = [
      { when: { lastUserContains: 'Sum up this conversation.' }, answer: { text: 'They spoke of words.' } },
      { when: { lastUserContains: 'TASK', toolResultsSinceLastUser: 1 }, answer: { text: 'Done.' } },
      {
        when: { lastUserContains: 'TASK' },
        answer: {
          reasoning: [thought, 'And another.'],
          text: 'I wait.',
          toolCalls: [call('run_shell_command', { command: 'sleep 4' })],
        },
      },
      { answer: { reasoning: [thought], text: 'I thought about it.' } },
    ];
    await system.models.script('other', { rules });
    const session = await open('sealed', rules);
    await system.api.post(`/v1/sessions/${session}/messages`, { text: 'Think.' });
    await untilAgent(system.api, session, ({ status, usage }) => status === 'idle' && usage.turns === 1);
    const same = await launchFork(system.api, session, 'TASK');
    await untilRecorded(system.api, same, 'ToolCallStarted');
    await killWorkersOf(system.api, same);
    expect(await untilEnded(system.api, same)).toMatchObject({ status: 'completed', epoch: 2 });
    // Told of its child, the session thinks once more, still with the same model.
    await untilAgent(system.api, session, ({ status, usage }) => status === 'idle' && usage.turns === 2);
    const other = { method: 'PATCH', json: { model: `${protocol}:other` } };
    expect((await rawRequest(system, `/v1/sessions/${session}/runtime`, other)).status).toBe(200);
    const elsewhere = await launchFork(system.api, session, 'TASK');
    expect((await untilEnded(system.api, elsewhere)).status).toBe('completed');
    const thoughtsIn = async (agent: string) =>
      (await requestsOf(system.models, agent)).map(({ body, status }) => [
        status,
        body.split(thought).length - 1,
      ]);

    expect(await thoughtsIn(same)).toEqual([
      [200, 1],
      [200, 2],
    ]);
    // What it thought itself goes back to it, what the first model thought does not.
    expect(await thoughtsIn(elsewhere)).toEqual([
      [200, 0],
      [200, 1],
    ]);

    await system.models.script('small', { rules, window: 7_000 });
    const words = 'word '.repeat(4_800);
    const long = await openSession(system.api, {
      projectRoot: workspace,
      model: `${protocol}:small`,
      history: [
        { role: 'user', content: `Remember this. ${words}` },
        { role: 'assistant', content: 'I will.' },
      ],
    });
    const compacted = await launchFork(system.api, long, 'TASK');
    expect((await untilEnded(system.api, compacted)).status).toBe('completed');
    expect(await of(compacted, /^HistoryCompacted$/)).toHaveLength(1);
    expect((await thoughtsIn(compacted)).slice(1)).toEqual([
      [200, 0],
      [200, 1],
    ]);
  });

  it('[L23] a parent learns apart how each of its children ended, what they had, and what they were refused', async () => {
    const child = (marker: string, more: object = {}) =>
      call('agent', { description: marker, prompt: `CHILD-${marker}`, subagent_type: 'fork', ...more });
    const look = { answer: { text: 'So far so good.', toolCalls: [call('list_directory', { path: '.' })] } };
    const session = await open('outcomes', [
      { when: { lastUserContains: '<agent-outcome' }, answer: { text: 'Noted.' } },
      { when: { lastUserContains: 'CHILD-REFUSED' }, answer: { text: 'I try.', toolCalls: [write('no')] } },
      { when: { lastUserContains: 'CHILD-BUDGET', toolResultCount: { atLeast: 2 } }, ...look },
      { when: { lastUserContains: 'CHILD-BUDGET' }, ...look },
      {
        when: { lastUserContains: 'CHILD-SLOW', toolResultsSinceLastUser: 1 },
        answer: { text: 'Late.' },
        delivery: { delayMs: 600_000 },
      },
      { when: { lastUserContains: 'CHILD-SLOW' }, ...look },
      {
        when: { lastUserContains: 'CHILD-HUGE' },
        error: {
          status: 400,
          code: 'context_length_exceeded',
          message: 'prompt is too long: maximum context length',
        },
      },
      { when: { lastUserContains: 'CHILD-FINE' }, answer: { text: 'All is well.' } },
      {
        when: { lastUserContains: 'Delegate', assistantTurnsSinceLastUser: 0 },
        answer: {
          toolCalls: [
            child('FINE'),
            child('REFUSED', { fork_tools: ['read_file'] }),
            child('BUDGET', { limits: { maxTurns: 2 } }),
            child('SLOW'),
            child('HUGE'),
          ],
        },
      },
      { answer: { text: 'They are on their way.' } },
    ]);
    await system.api.post(`/v1/sessions/${session}/messages`, { text: 'Delegate it.' });
    await untilRecorded(system.api, session, 'ToolCallFinished', '"index":4');
    const children = (await of(session, /^ToolCallFinished$/)).map(launchedBy);
    const slow = children[3] ?? '';
    await untilRecorded(system.api, slow, 'ToolCallFinished');
    await system.api.post(`/v1/agents/${slow}/cancel`);
    await until(
      'the outcomes',
      async () => (await of(session, /^OutcomeDelivered$/)).length >= children.length,
    );
    const told = (await of(session, /^OutcomeDelivered$/))
      .map(({ agentId, text }) => [children.indexOf(String(agentId)), String(text)] as const)
      .sort(([a], [b]) => a - b);
    const attributes = told.map(([, text]) =>
      /status="(\w+)" reason="(\w+)" partial="(\w+)"/.exec(text)?.slice(1),
    );

    expect(attributes).toEqual([
      ['completed', 'answered', 'false'],
      ['failed', 'no_progress', 'true'],
      ['failed', 'turn_limit', 'true'],
      ['cancelled', 'cancelled', 'true'],
      ['failed', 'context_overflow', 'true'],
    ]);
    expect(told[0]?.[1]).toContain('All is well.');
    expect(told[1]?.[1]).toContain('run_shell_command');
    expect(told[2]?.[1]).toContain('So far so good.');
    expect(told[3]?.[1]).toContain('So far so good.');
  });
});

const launchedBy = ({ content }: Readonly<Record<string, unknown>>): string =>
  /Agent (\S+) was launched/.exec(String(content))?.[1] ?? '';
