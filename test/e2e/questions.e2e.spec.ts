import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentAnswer } from '../../apps/cli/src/api/api-shapes.js';
import {
  openSession,
  recordsOf,
  untilAgent,
  untilEnded,
  untilListed,
  untilNoneHeld,
  untilRecorded,
} from '../support/e2e/agents.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { codeOf, rawRequest } from '../support/e2e/raw-request.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

jest.setTimeout(180_000);

interface QuestionAnswer {
  readonly id: string;
  readonly agentId: string;
  readonly to: string;
  readonly text: string;
  readonly options: readonly string[];
  readonly status: string;
}

const asks = (name: string, question: string) => ({
  toolCalls: [{ name, arguments: { question, options: ['red', 'blue'] } }],
});
const launches = (run_in_background: boolean, description = 'a child') => ({
  toolCalls: [
    {
      name: 'agent',
      arguments: {
        description,
        prompt: 'CHILD: ask.',
        subagent_type: 'explorer',
        run_in_background,
      },
    },
  ],
});
const script = {
  rules: [
    {
      when: {
        lastUserMatches: '<agent-question id="([0-9a-f-]+)" description="a curious child"',
        assistantTurnsSinceLastUser: 0,
      },
      answer: {
        toolCalls: [{ name: 'send_message', arguments: { agent_id: '{{match:1}}', message: 'violet' } }],
      },
    },
    {
      when: { lastUserContains: '<agent-question', assistantTurnsSinceLastUser: 0 },
      answer: { text: 'A child asks me.' },
    },
    { when: { lastUserContains: '<agent-outcome' }, answer: { text: 'The child has ended.' } },
    {
      when: { toolResultsSinceLastUser: { atLeast: 1 } },
      answer: { text: 'It came back: {{toolResult:0}}' },
    },
    { when: { lastUserContains: 'CHILD' }, answer: asks('ask_question', 'Which colour, parent?') },
    { when: { lastUserContains: 'launch and go on' }, answer: launches(true) },
    {
      when: { lastUserContains: 'launch and answer' },
      answer: launches(true, 'a curious child'),
    },
    { when: { lastUserContains: 'launch and wait' }, answer: launches(false) },
    {
      when: { lastUserContains: 'Write in vain' },
      answer: { toolCalls: [{ name: 'write_file', arguments: { path: 'a.txt', content: 'a' } }] },
    },
    { answer: asks('ask_user_question', 'Which colour?') },
  ],
};

describe('questions', () => {
  let system: TestSystem;
  let database: TestDatabase;
  let projectRoot: string;

  // One worker with one place: what waits must not hold it.
  const start = async (operator?: object): Promise<void> => {
    const given = operator === undefined ? {} : { operator };
    system = await startSystem({ workers: 1, concurrency: 1, databaseUrl: database.url, ...given });
    await system.models.script('questions', script);
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    projectRoot = await mkdtemp(join(tmpdir(), 'offshoot-questions-'));
    await start();
  });
  afterAll(async () => {
    await system.stop();
    await database.drop();
    await rm(projectRoot, { recursive: true });
  });

  const session = async (text: string, approvalMode = 'yolo'): Promise<string> => {
    const model = 'scripted:questions';
    const id = await openSession(system.api, { projectRoot, model, approvalMode, history: [] });
    await system.api.post(`/v1/sessions/${id}/messages`, { text });
    return id;
  };
  const pending = async (): Promise<readonly QuestionAnswer[]> =>
    (await system.api.get<{ items: readonly QuestionAnswer[] }>('/v1/questions?status=pending')).items;
  const untilAsked = async (agentId: string): Promise<QuestionAnswer> => {
    for (let look = 0; look < 600; look += 1) {
      const found = (await pending()).find((question) => question.agentId === agentId);
      if (found !== undefined) return found;
      await pause(100);
    }
    throw new Error(`Agent ${agentId} asked nothing.`);
  };
  const answer = (id: string, text: string, headers: Record<string, string> = {}) =>
    rawRequest(system, `/v1/questions/${id}`, { json: { text }, headers });
  const childOf = async (sessionId: string): Promise<string> => {
    const isChild = ({ kind }: AgentAnswer) => kind !== 'session';
    const listed = await untilListed(system.api, sessionId, (agents) => agents.some(isChild));
    return String(listed.find(isChild)?.id);
  };

  it('[RUN-6] of a session park it without a place, survive a restart of everything, and go on with the first answer', async () => {
    const id = await session('Ask me.');
    const question = await untilAsked(id);
    expect(question).toMatchObject({ to: 'user', text: 'Which colour?', options: ['red', 'blue'] });
    expect(await untilAgent(system.api, id, ({ status }) => status === 'waiting')).toMatchObject({
      run: null,
    });
    await untilNoneHeld(system.api);

    await system.stop();
    await start();
    expect(await pending()).toEqual([question]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => answer(question.id, n % 2 === 0 ? 'red' : 'blue')),
    );
    const [won, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    const losers = answers.filter(({ status }) => status !== 200);
    expect(new Set(losers.map((lost) => `${lost.status} ${String(codeOf(lost))}`))).toEqual(
      new Set(['409 QUESTION_NOT_FOUND']),
    );
    for (const { body } of losers) expect((body as { detail: string }).detail).toContain('was answered');

    await untilAgent(system.api, id, ({ status }) => status === 'idle');
    const text = (won?.body as { text: string }).text;
    const records = await recordsOf(system.api, id);
    expect(records.filter(({ type }) => type === 'QuestionAnswered').map(({ data }) => data['text'])).toEqual(
      [text],
    );
    expect(records.filter(({ type }) => type === 'QuestionAsked')).toHaveLength(1);
    expect((await requestsOf(system.models, id)).at(-1)?.body).toContain(`"content":"${text}"`);
    expect(await pending()).toEqual([]);
  });

  it('[LOG-1] have the same answer when it is sent again under its key', async () => {
    const id = await session('Ask me again.');
    const question = await untilAsked(id);
    const headers = { 'idempotency-key': `answer-${id}` };
    const answers = await Promise.all([1, 2, 3].map(() => answer(question.id, 'blue', headers)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await answer(question.id, 'red', headers)).status).toBe(422);
    await untilAgent(system.api, id, ({ status }) => status === 'idle');
  });

  it('that do not exist, or are answered with nothing, change nothing', async () => {
    expect((await answer('01890000-0000-7000-8000-000000000000', 'red')).status).toBe(404);
    expect((await answer('no-id', 'red')).status).toBe(404);
    const id = await session('Ask me once more.');
    const question = await untilAsked(id);
    expect((await answer(question.id, '')).status).toBe(422);
    expect((await pending()).map((open) => open.id)).toEqual([question.id]);
    await answer(question.id, 'red');
  });

  it('of a subagent are told to the agent that launched it, once, and a person may answer in its place', async () => {
    const parent = await session('launch and go on');
    const child = await childOf(parent);
    const question = await untilAsked(child);
    expect(question).toMatchObject({ to: 'parent', text: 'Which colour, parent?' });
    const told = await untilRecorded(system.api, parent, 'MessageQueued', 'Which colour, parent?');
    expect(told.data['text']).toContain(`<agent-question id="${child}"`);
    expect((await answer(question.id, 'green')).status).toBe(200);
    expect((await untilEnded(system.api, child)).outcome?.result).toBe('It came back: green');
    await untilAgent(system.api, parent, ({ status }) => status === 'idle');
    const queued = (await recordsOf(system.api, parent)).filter(({ type }) => type === 'MessageQueued');
    expect(queued).toHaveLength(1);
  });

  it('of a subagent are answered by the model of its parent with a message', async () => {
    const parent = await session('launch and answer');
    const child = await childOf(parent);
    expect((await untilEnded(system.api, child)).outcome?.result).toBe('It came back: violet');
    const records = await recordsOf(system.api, child);
    expect(records.filter(({ type }) => type === 'QuestionAnswered').map(({ data }) => data['text'])).toEqual(
      ['violet'],
    );
    expect(records.some(({ type }) => type === 'MessageQueued')).toBe(false);
    await untilAgent(system.api, parent, ({ status }) => status === 'idle');
  });

  it('of a subagent whose parent waits for it go to a person: the parent could not answer', async () => {
    const parent = await session('launch and wait');
    const child = await childOf(parent);
    const question = await untilAsked(child);
    expect(question.to).toBe('user');
    expect((await answer(question.id, 'grey')).status).toBe(200);
    expect((await untilEnded(system.api, child)).outcome?.result).toBe('It came back: grey');
    await untilAgent(system.api, parent, ({ status }) => status === 'idle');
    expect((await recordsOf(system.api, parent)).some(({ type }) => type === 'MessageQueued')).toBe(false);
  });

  it('are void once their agent is cancelled', async () => {
    const parent = await session('launch and go on');
    const child = await childOf(parent);
    const question = await untilAsked(child);
    await system.api.post(`/v1/agents/${child}/cancel`);
    expect((await answer(question.id, 'green')).status).toBe(409);
    expect((await untilEnded(system.api, child)).status).toBe('cancelled');
  });

  it('that nobody answers in time end with a result that says so', async () => {
    await system.stop();
    await start({ approvalExpirySeconds: 1 });
    const id = await session('Ask me in vain.');
    await untilRecorded(system.api, id, 'QuestionExpired');
    await untilAgent(system.api, id, ({ status }) => status === 'idle');
    const { body } = (await requestsOf(system.models, id)).at(-1) ?? { body: '' };
    expect(body).toContain('Nobody answered this question in time.');
  });

  it('[C13] and an approval that nobody answers in time is denied by the clock of the database, and runs nothing', async () => {
    const id = await session('Write in vain.', 'default');
    const expired = await untilRecorded(system.api, id, 'ApprovalExpired');
    await untilAgent(system.api, id, ({ status }) => status === 'idle');
    const late = await rawRequest(system, `/v1/approvals/${String(expired.data['approvalId'])}`, {
      json: { decision: 'allow' },
    });
    expect([late.status, (late.body as { detail: string }).detail]).toEqual([
      409,
      expect.stringContaining('has expired'),
    ]);
    const records = await recordsOf(system.api, id);
    expect(records.some(({ type }) => type === 'ToolCallStarted')).toBe(false);
    expect(await readdir(projectRoot)).toEqual([]);
  });
});
