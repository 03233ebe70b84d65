import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  launchFork,
  openSession,
  recordsOf,
  untilAgent,
  untilEnded,
  untilRecorded,
} from '../support/e2e/agents.js';
import { beforeLastUser, requestsOf, stemOf } from '../support/e2e/model-requests.js';
import { codeOf, rawRequest } from '../support/e2e/raw-request.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(120_000);

const read = (path: string) => ({ name: 'read_file', arguments: { path } });

/** Forks read two files in one turn and answer; with the word "again" they answer at once. */
const script = {
  rules: [
    { when: { systemContains: 'You explore a code base' }, answer: { text: 'Explored.' } },
    { when: { lastUserContains: 'AGAIN' }, answer: { text: 'From here.' } },
    {
      when: { lastUserContains: 'WRITE', toolResultsSinceLastUser: { below: 1 } },
      answer: { toolCalls: [{ name: 'write_file', arguments: { path: 'out.txt', content: 'x' } }] },
    },
    {
      when: { lastUserContains: 'READ', toolResultsSinceLastUser: { below: 1 } },
      answer: { text: 'Reading.', toolCalls: [read('a.txt'), read('b.txt')] },
    },
    { answer: { text: 'Done.' } },
  ],
};

describe('forks from any point, and sessions that are closed and reopened', () => {
  let system: TestSystem;
  let workspace: string;
  let sessionId: string;

  beforeAll(async () => {
    system = await startSystem({ workers: 1 });
    await system.models.script('points', script);
  });
  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'offshoot-points-'));
    await writeFile(join(workspace, 'a.txt'), 'aaa\n');
    await writeFile(join(workspace, 'b.txt'), 'bbb\n');
    sessionId = await openSession(system.api, { projectRoot: workspace, model: 'scripted:points' });
  });
  afterEach(() => rm(workspace, { recursive: true }));
  afterAll(() => system.stop());

  const forkAt = async (agentId: string, more: object): Promise<string> => {
    const body = { description: 'another way', prompt: 'AGAIN: go on from here.', ...more };
    return (await system.api.post<{ id: string }>(`/v1/agents/${agentId}/fork`, body)).id;
  };
  const bodyOf = async (agentId: string): Promise<string> =>
    (await requestsOf(system.models, agentId))[0]?.body ?? '';

  it('a fork starts at a version, at a cursor or at the end of the transcript of another fork, on its very bytes', async () => {
    const source = await launchFork(system.api, sessionId, 'READ both.');
    await untilEnded(system.api, source);
    const records = await recordsOf(system.api, source);
    const started = records.find(({ type }) => type === 'ToolCallStarted');
    const answered = records.findLast(({ type }) => type === 'ToolCallFinished') as unknown as {
      version: number;
      cursor: string;
    };
    const [atEnd, atResults, atCursor, inBatch] = [
      await forkAt(source, {}),
      await forkAt(source, { atVersion: answered.version }),
      await forkAt(source, { cursor: answered.cursor, fork_tools: [] }),
      await forkAt(source, { atVersion: started?.version }),
    ];
    for (const id of [atEnd, atResults, atCursor, inBatch])
      expect((await untilEnded(system.api, id)).outcome?.result).toBe('From here.');
    const [, second] = await requestsOf(system.models, source);
    const stem = stemOf(second?.body ?? '');
    // What the source sent with its results is what its forks behind them begin with, byte for byte.
    expect(await bodyOf(atResults)).toContain(stem);
    expect(beforeLastUser(await bodyOf(atCursor))).toBe(beforeLastUser(await bodyOf(atResults)));
    expect((await bodyOf(atEnd)).startsWith(stem)).toBe(true);
    expect(await bodyOf(atEnd)).toContain('Done.');
    expect(await bodyOf(atResults)).not.toContain('Done.');
    // Inside a batch the calls are emptied, and no result of the source is read.
    expect(await bodyOf(inBatch)).toContain('Its result belongs to the parent.');
    expect(await bodyOf(inBatch)).not.toContain('aaa');
    const launched = (await recordsOf(system.api, atResults))[0]?.data;
    expect(launched).toMatchObject({ parentId: sessionId, sessionId, depth: 1 });
    expect((await recordsOf(system.api, atResults))[1]?.data).toMatchObject({
      parent: { agentId: source, version: answered.version },
    });
  });

  it('[POL-5] a fork of the transcript of a restricted fork may run no more than that fork could', async () => {
    const source = await launchFork(system.api, sessionId, 'READ both.', ['read_file']);
    await untilEnded(system.api, source);
    const wider = await forkAt(source, { prompt: 'WRITE it.', fork_tools: ['read_file', 'write_file'] });
    const agent = await untilEnded(system.api, wider);
    expect(agent.policy.entries).toEqual(['read_file', 'write_file']);
    expect(agent.outcome?.refusedTools).toEqual(['write_file']);
    const open = await forkAt(source, { prompt: 'WRITE it.' });
    expect((await untilEnded(system.api, open)).outcome?.refusedTools).toEqual(['write_file']);
  });

  it('a fork of the transcript of a subagent keeps the prompt and the declarations that its history was made with', async () => {
    const body = { subagent_type: 'explorer', description: 'explore', prompt: 'Explore.' };
    const { id } = await system.api.post<{ id: string }>(`/v1/sessions/${sessionId}/agents`, body);
    await untilEnded(system.api, id);
    const fork = await forkAt(id, {});
    expect(await untilEnded(system.api, fork)).toMatchObject({ kind: 'fork', status: 'completed' });
    expect((await bodyOf(fork)).startsWith(stemOf(await bodyOf(id)))).toBe(true);
  });

  it.each<[string, object, string, number]>([
    ['a version behind the end', { atVersion: 99 }, 'FORK_POINT_INVALID', 422],
    ['version 0', { atVersion: 0 }, 'REQUEST_INVALID', 422],
    ['a version and a cursor', { atVersion: 1, cursor: 'x' }, 'REQUEST_INVALID', 422],
    ['what is no cursor', { cursor: 'nothing' }, 'CURSOR_INVALID', 422],
    ['a definition', { subagent_type: 'explorer' }, 'AGENT_CALL_NOT_APPLICABLE', 422],
    ['an unknown parameter', { at: 1 }, 'AGENT_CALL_INVALID', 422],
    ['no prompt', { prompt: '' }, 'AGENT_CALL_INVALID', 422],
  ])('%s is refused and nothing is launched', async (_what, more, code, status) => {
    const json = { description: 'x', prompt: 'AGAIN', ...more };
    const answer = await rawRequest(system, `/v1/agents/${sessionId}/fork`, { json });
    expect([codeOf(answer), answer.status]).toEqual([code, status]);
    const { items } = await system.api.get<{ items: readonly unknown[] }>(
      `/v1/agents?session=${sessionId}&kind=fork`,
    );
    expect(items).toEqual([]);
  });

  it('an agent that nobody has is not forked', async () => {
    const json = { description: 'x', prompt: 'AGAIN' };
    const answer = await rawRequest(system, '/v1/agents/01890000-0000-7000-8000-0000000000ff/fork', { json });
    expect([codeOf(answer), answer.status]).toEqual(['AGENT_NOT_FOUND', 404]);
  });

  it('a closed session holds its forks back: reopened they go on by themselves, abandoned they end', async () => {
    await system.models.script('held', {
      rules: [
        { error: { status: 429, headers: { 'Retry-After': '5' }, times: 2 } },
        { answer: { text: 'On.' } },
      ],
    });
    const held = await openSession(system.api, { projectRoot: workspace, model: 'scripted:held' });
    const [goesOn, abandoned] = [
      await launchFork(system.api, held, 'one'),
      await launchFork(system.api, held, 'two'),
    ];
    await untilRecorded(system.api, goesOn, 'RunParked');
    await untilRecorded(system.api, abandoned, 'RunParked');
    await system.api.post(`/v1/sessions/${held}/close`);
    for (const id of [goesOn, abandoned]) {
      const agent = await untilAgent(system.api, id, ({ status }) => status === 'blocked');
      expect(agent).toMatchObject({ blocked: { reason: 'parent_closed' } });
    }
    await system.api.post(`/v1/agents/${abandoned}/cancel`);
    const launch = await rawRequest(system, `/v1/sessions/${held}/agents`, {
      json: { subagent_type: 'fork', description: 'x', prompt: 'y' },
    });
    expect(codeOf(launch)).toBe('SESSION_CLOSED');
    expect(await system.api.post(`/v1/sessions/${held}/reopen`)).toMatchObject({ status: 'idle' });
    expect(await untilEnded(system.api, goesOn)).toMatchObject({
      status: 'completed',
      outcome: { result: 'On.' },
    });
    await pause(500);
    expect(await untilEnded(system.api, abandoned)).toMatchObject({ status: 'cancelled' });
    expect(codeOf(await rawRequest(system, `/v1/sessions/${held}/reopen`, { method: 'POST' }))).toBe(
      'SESSION_OPEN',
    );
  });
});
