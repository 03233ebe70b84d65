import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  launchFork,
  openSession,
  recordsOf,
  untilAgent,
  untilEnded,
  untilNoneHeld,
} from '../support/e2e/agents.js';
import { pendingApprovals, untilAsked } from '../support/e2e/approvals.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { codeOf, rawRequest } from '../support/e2e/raw-request.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

jest.setTimeout(180_000);

/** `append X to LOG` runs a command that asks; `read` needs nobody. */
const script = {
  rules: [
    { when: { toolResultsSinceLastUser: { atLeast: 1 } }, answer: { text: 'Done: {{toolResult:0}}' } },
    {
      when: { lastUserMatches: 'append (\\w+) to (\\w+)' },
      answer: {
        toolCalls: [
          { name: 'run_shell_command', arguments: { command: 'echo {{match:1}} >> {{match:2}}.log' } },
        ],
      },
    },
    { answer: { toolCalls: [{ name: 'read_file', arguments: { path: 'input.txt' } }] } },
  ],
};

describe('calls that need an approval', () => {
  let system: TestSystem;
  let database: TestDatabase;
  let workspace: string;
  let sessionId: string;

  // One worker with one place: what waits must not hold it.
  const start = async (): Promise<void> => {
    system = await startSystem({ workers: 1, concurrency: 1, databaseUrl: database.url });
    await system.models.script('approvals', script);
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    await start();
  });
  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-approvals-'));
    await writeFile(join(workspace, 'input.txt'), 'the input\n');
    sessionId = await openSession(system.api, {
      projectRoot: workspace,
      model: 'scripted:approvals',
      approvalMode: 'default',
    });
  });
  afterEach(() => rm(workspace, { recursive: true }));
  afterAll(async () => {
    await system.stop();
    await database.drop();
  });

  const launch = (prompt: string): Promise<string> => launchFork(system.api, sessionId, prompt);
  const decide = (id: string, decision: string, headers: Record<string, string> = {}) =>
    rawRequest(system, `/v1/approvals/${id}`, { json: { decision }, headers });
  const linesOf = async (log: string): Promise<readonly string[]> =>
    (await readFile(join(workspace, `${log}.log`), 'utf8').catch(() => '')).split('\n').slice(0, -1);
  const typesOf = async (agent: string, type: string): Promise<number> =>
    (await recordsOf(system.api, agent)).filter((record) => record.type === type).length;

  it('[RUN-6] hold no place while they wait, survive a restart of everything, and run exactly once when they are allowed', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `line${n}`);
    const waiting = await Promise.all(names.map((name) => launch(`append ${name} to all`)));
    const asked = await untilAsked(system.api, waiting);
    for (const agent of waiting)
      expect(await untilAgent(system.api, agent, ({ status }) => status === 'waiting')).toMatchObject({
        run: null,
      });
    await untilNoneHeld(system.api);
    expect((await untilEnded(system.api, await launch('read it'))).status).toBe('completed');

    await system.stop();
    await start();
    const stillAsked = await pendingApprovals(system.api);
    expect(stillAsked.map(({ id }) => id).sort()).toEqual(asked.map(({ id }) => id).sort());
    expect((await untilEnded(system.api, await launch('read it'))).status).toBe('completed');
    expect(await linesOf('all')).toEqual([]);

    const answers = await Promise.all(asked.map(({ id }) => decide(id, 'allow')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const agent of waiting)
      expect((await untilEnded(system.api, agent)).outcome?.result).toMatch(/^Done: /);
    expect([...(await linesOf('all'))].sort()).toEqual([...names].sort());
    for (const agent of waiting) {
      expect(await typesOf(agent, 'ToolCallStarted')).toBe(1);
      expect(await typesOf(agent, 'ApprovalRequested')).toBe(1);
    }
    expect(await pendingApprovals(system.api)).toEqual([]);
  });

  it('[C15] have one answer: of thirty at once, one decides, and the others are told what was decided', async () => {
    const agents = await Promise.all([launch('append yes to one'), launch('append yes to two')]);
    for (const { id, agentId } of await untilAsked(system.api, agents)) {
      const decisions = Array.from({ length: 30 }, (_, n) => (n % 2 === 0 ? 'allow' : 'deny'));
      const answers = await Promise.all(decisions.map((decision) => decide(id, decision)));
      const winners = answers.filter(({ status }) => status === 200);
      const losers = answers.filter(({ status }) => status !== 200);
      const [record, ...others] = (await recordsOf(system.api, agentId)).filter(
        ({ type }) => type === 'ApprovalResolved',
      );

      expect(winners).toHaveLength(1);
      expect(others).toEqual([]);
      expect(winners[0]?.body).toMatchObject({ decision: record?.data['decision'] });
      expect(new Set(losers.map((answer) => `${answer.status} ${String(codeOf(answer))}`))).toEqual(
        new Set(['409 APPROVAL_NOT_FOUND']),
      );
      const wasAllowed = record?.data['decision'] === 'allow';
      const told = wasAllowed ? 'was allowed' : 'was denied';
      for (const { body } of losers) expect((body as { detail: string }).detail).toContain(told);
      await untilEnded(system.api, agentId);
      expect(await typesOf(agentId, 'ToolCallStarted')).toBe(wasAllowed ? 1 : 0);
      // Long after, it is still the same answer.
      expect((await decide(id, 'allow')).body).toMatchObject({
        status: 409,
        detail: expect.stringContaining(told),
      });
    }
  });

  it('[LOG-1] are answered once by an answer that is sent again under its key', async () => {
    const agent = await launch('append once to keyed');
    const [approval] = await untilAsked(system.api, [agent]);
    const answers = await Promise.all(
      [1, 2, 3].map(() => decide(approval?.id ?? '', 'allow', { 'idempotency-key': `answer-${agent}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await untilEnded(system.api, agent);
    expect(await linesOf('keyed')).toEqual(['once']);
  });

  it('do nothing when they are denied, and the model is told so', async () => {
    const agent = await launch('append never to denied');
    const [approval] = await untilAsked(system.api, [agent]);
    expect(approval).toMatchObject({
      tool: 'run_shell_command',
      arguments: expect.stringContaining('echo never >> denied.log'),
    });
    expect((await decide(approval?.id ?? '', 'deny')).status).toBe(200);
    expect((await untilEnded(system.api, agent)).status).toBe('completed');
    expect(await linesOf('denied')).toEqual([]);
    expect(await typesOf(agent, 'ToolCallStarted')).toBe(0);
    expect((await requestsOf(system.models, agent)).at(-1)?.body).toContain('not approved; nothing was run');
  });

  it('are denied unasked for an agent that was launched to go on without asking', async () => {
    const body = {
      description: 'a test fork',
      prompt: 'append never to unasked',
      subagent_type: 'fork',
      onApproval: 'deny',
    };
    const { id } = await system.api.post<{ id: string }>(`/v1/sessions/${sessionId}/agents`, body);
    expect((await untilEnded(system.api, id)).status).toBe('completed');
    expect(await linesOf('unasked')).toEqual([]);
    expect(await typesOf(id, 'ApprovalRequested')).toBe(0);
  });

  it('are void once their agent is cancelled', async () => {
    const agent = await launch('append never to cancelled');
    const [approval] = await untilAsked(system.api, [agent]);
    await system.api.post(`/v1/agents/${agent}/cancel`);
    expect((await untilEnded(system.api, agent)).status).toBe('cancelled');
    expect((await decide(approval?.id ?? '', 'allow')).status).toBe(409);
    expect(await linesOf('cancelled')).toEqual([]);
  });
});
