import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ApiClient } from '../../apps/cli/src/api/api-client.js';
import type { RecordAnswer } from '../../apps/cli/src/api/api-shapes.js';
import {
  launchFork,
  openSession,
  recordsOf,
  untilAgent,
  untilEnded,
  workerOf,
} from '../support/e2e/agents.js';
import { untilAsked } from '../support/e2e/approvals.js';
import { requestsOf } from '../support/e2e/model-requests.js';
import { until } from '../support/e2e/processes.js';
import { codeOf, type RawAnswer, rawRequest } from '../support/e2e/raw-request.js';
import { runCli } from '../support/e2e/run-cli.js';
import { type Replica, startReplica } from '../support/e2e/start-replica.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

const script = {
  rules: [
    { when: { toolResultsSinceLastUser: { atLeast: 1 } }, answer: { text: 'Done: {{toolResult:0}}' } },
    {
      when: { lastUserMatches: 'append (\\w+)' },
      answer: {
        toolCalls: [{ name: 'run_shell_command', arguments: { command: 'echo {{match:1}} >> effect.log' } }],
      },
    },
    {
      when: { lastUserContains: 'think' },
      answer: { text: 'I think about it for quite a while before I say anything.' },
      delivery: { chunkSize: 4, chunkDelayMs: 400 },
    },
    {
      answer: {
        toolCalls: [{ name: 'ask_user_question', arguments: { question: 'Which colour?', options: [] } }],
      },
    },
  ],
};

/** Somebody who answers: a key, and the orchestrator that it is sent to. */
interface Answerer {
  readonly keyId: string;
  readonly key: string;
  readonly api: ApiClient;
}

describe('three orchestrators over one database', () => {
  let system: TestSystem;
  let replicas: readonly Replica[];
  let answerers: readonly Answerer[];
  let workspace: string;
  let database: pg.Client;

  beforeAll(async () => {
    system = await startSystem({ workers: 2 });
    await system.models.script('replicas', script);
    replicas = await Promise.all([startReplica(system), startReplica(system)]);
    const keys = await Promise.all(['first', 'second'].map(makeKey));
    const addresses = [system.api.address, ...replicas.map(({ address }) => address)];
    answerers = addresses.flatMap((address) =>
      keys.map(({ id, key }) => ({ keyId: id, key, api: new ApiClient(address, key) })),
    );
    database = new pg.Client({ connectionString: system.databaseUrl });
    await database.connect();
  });
  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-replicas-'));
  });
  afterEach(() => rm(workspace, { recursive: true }));
  afterAll(async () => {
    await database.end();
    for (const replica of replicas) await replica.stop();
    await system.stop();
  });

  async function makeKey(name: string): Promise<{ readonly id: string; readonly key: string }> {
    const args = ['keys', 'create', '--name', name, '--scope', 'operate', '--json'];
    const { stdout } = await runCli(args, { DATABASE_URL: system.databaseUrl });
    return JSON.parse(stdout) as { id: string; key: string };
  }

  /** The n-th of many who answer at once: both keys, at all orchestrators. */
  const answerer = (n: number): Answerer => answerers[n % answerers.length] as Answerer;
  const session = (approvalMode = 'default', model = 'scripted:replicas'): Promise<string> =>
    openSession(system.api, { projectRoot: workspace, model, approvalMode });
  const ofType = async (agent: string, type: string): Promise<readonly RecordAnswer[]> =>
    (await recordsOf(system.api, agent)).filter((record) => record.type === type);
  const effect = (): Promise<string> => readFile(join(workspace, 'effect.log'), 'utf8').catch(() => '');
  const epochsOf = async (agent: string): Promise<readonly unknown[]> =>
    (await ofType(agent, 'RunStarted')).map(({ data }) => data['epoch']);
  const actorOf = async (agent: string, type: string): Promise<unknown> => {
    const text = 'select actor from event where stream = $1 and type = $2';
    return (await database.query<{ actor: string }>(text, [agent, type])).rows.map(({ actor }) => actor);
  };

  /** Thirty at once; those who were too late must all have been told the same. Answers who was first, and what the others were told. */
  async function thirty(
    send: (n: number, by: Answerer) => Promise<RawAnswer>,
  ): Promise<{ readonly first: number; readonly told: string }> {
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => send(n, answerer(n))));
    const firsts = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []));
    const late = answers.filter(({ status }) => status !== 200);
    const told = new Set(late.map(({ status, body }) => `${status} ${(body as { detail: string }).detail}`));
    expect(firsts).toHaveLength(1);
    expect([...told]).toHaveLength(1);
    expect(new Set(late.map(codeOf)).size).toBe(1);
    return { first: firsts[0] ?? -1, told: [...told][0] ?? '' };
  }

  it('[C15] take one of thirty decisions that two people send to all of them at once; the others are told what was decided', async () => {
    const sessionId = await session();
    for (let round = 0; round < 6; round += 1) {
      const before = await effect();
      const agent = await launchFork(system.api, sessionId, `append round${round}`);
      const [approval] = await untilAsked(system.api, [agent]);
      const id = approval?.id ?? '';
      const decisionOf = (n: number): string => (Math.floor(n / 2 + round) % 2 === 0 ? 'allow' : 'deny');
      const { first, told } = await thirty((n, by) =>
        rawRequest(by, `/v1/approvals/${id}`, { json: { decision: decisionOf(n) } }),
      );
      const isAllowed = decisionOf(first) === 'allow';
      await untilEnded(system.api, agent);

      expect(told).toBe(`409 Approval ${id} is not open: it was ${isAllowed ? 'allowed' : 'denied'}.`);
      expect((await ofType(agent, 'ApprovalResolved')).map(({ data }) => data['decision'])).toEqual([
        decisionOf(first),
      ]);
      expect(await actorOf(agent, 'ApprovalResolved')).toEqual([`key:${answerer(first).keyId}`]);
      expect(await ofType(agent, 'ToolCallStarted')).toHaveLength(isAllowed ? 1 : 0);
      expect(await effect()).toBe(isAllowed ? `${before}round${round}\n` : before);
    }
  });

  it('[C15] take one of thirty answers to a question, and give that one to the model', async () => {
    for (let round = 0; round < 3; round += 1) {
      const agent = await session('yolo');
      await system.api.post(`/v1/sessions/${agent}/messages`, { text: 'Ask me.' });
      await untilAgent(system.api, agent, ({ status }) => status === 'waiting');
      const [asked] = await ofType(agent, 'QuestionAsked');
      const id = String(asked?.data['questionId']);
      await until('the question in the inbox', async () =>
        JSON.stringify(await system.api.get('/v1/questions?status=pending')).includes(id),
      );
      const { first, told } = await thirty((n, by) =>
        rawRequest(by, `/v1/questions/${id}`, { json: { text: `colour ${n}` } }),
      );
      await untilAgent(system.api, agent, ({ status }) => status === 'idle');

      expect(told).toBe(`409 Question ${id} is not open: it was answered.`);
      expect((await ofType(agent, 'QuestionAnswered')).map(({ data }) => data['text'])).toEqual([
        `colour ${first}`,
      ]);
      expect(await actorOf(agent, 'QuestionAnswered')).toEqual([`key:${answerer(first).keyId}`]);
      expect((await requestsOf(system.models, agent)).at(-1)?.body).toContain(`colour ${first}`);
    }
  });

  const fiftyRevives = (agent: string): Promise<readonly RawAnswer[]> =>
    Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        rawRequest(answerer(n), `/v1/agents/${agent}/revive`, { method: 'POST' }),
      ),
    );

  it('[C09] revive a blocked fork once, though all of them are asked fifty times at once', async () => {
    const refusal = { rules: [{ error: { status: 401, code: 'invalid_api_key', message: 'No such key.' } }] };
    await system.models.script('locked', refusal);
    const agent = await launchFork(system.api, await session('yolo', 'scripted:locked'), 'Go on.');
    const { epoch } = await untilAgent(system.api, agent, ({ status }) => status === 'blocked');
    await system.models.script('locked', { rules: [{ answer: { text: 'Unlocked.' } }] });
    const answers = await fiftyRevives(agent);
    const ended = await untilEnded(system.api, agent);

    expect(answers.filter(({ status }) => status !== 202 && status !== 409)).toEqual([]);
    expect(ended).toMatchObject({ status: 'completed', epoch: epoch + 1, activation: 1 });
    expect(await ofType(agent, 'WaitEnded')).toHaveLength(1);
    expect(await epochsOf(agent)).toEqual(Array.from({ length: epoch + 1 }, (_, n) => n + 1));
  });

  it('[C09] revive a fork of a killed worker once, while their sweepers find it too', async () => {
    const agent = await launchFork(system.api, await session('yolo'), 'Please think.');
    await until('the request', async () => (await requestsOf(system.models, agent)).length > 0);
    process.kill((await workerOf(system.api, agent)).pid, 'SIGKILL');
    const answers: RawAnswer[] = [];
    // Before its death is noticed, in that moment, and when it runs again.
    do answers.push(...(await fiftyRevives(agent)));
    while ((await epochsOf(agent)).length < 2);
    answers.push(...(await fiftyRevives(agent)));

    expect(answers.filter(({ status }) => status !== 202 && status !== 409)).toEqual([]);
    expect(await untilEnded(system.api, agent)).toMatchObject({
      status: 'completed',
      epoch: 2,
      activation: 1,
    });
    expect(await epochsOf(agent)).toEqual([1, 2]);
    expect(await ofType(agent, 'RunInterrupted')).toHaveLength(1);
    expect(await ofType(agent, 'WaitEnded')).toEqual([]);
    expect(await ofType(agent, 'TurnRecorded')).toHaveLength(1);
  });
});
