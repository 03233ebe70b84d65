import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchFork, openSession, recordsOf, untilAgent, untilEnded } from '../support/e2e/agents.js';
import { untilAsked } from '../support/e2e/approvals.js';
import { type CliAnswer, runCli } from '../support/e2e/run-cli.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

jest.setTimeout(180_000);

const script = {
  rules: [
    { when: { toolResultsSinceLastUser: { atLeast: 1 } }, answer: { text: 'Done.' } },
    {
      when: { lastUserContains: 'write' },
      answer: { toolCalls: [{ name: 'write_file', arguments: { path: 'made.txt', content: 'made' } }] },
    },
    { answer: { text: 'Nothing to do.' } },
  ],
};

describe('a log that moves to another place', () => {
  let folder: string;
  let source: TestSystem;
  let elsewhere: TestDatabase;
  let target: TestSystem;
  let sessionId: string;
  let finished: string;
  let asking: string;
  let exported: CliAnswer;
  let imported: CliAnswer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offshoot-transfer-'));
    source = await startSystem({ workers: 1 });
    await source.models.script('move', script);
    sessionId = await openSession(source.api, {
      projectRoot: folder,
      model: 'scripted:move',
      approvalMode: 'default',
    });
    finished = await launchFork(source.api, sessionId, 'Do nothing.', []);
    await untilEnded(source.api, finished);
    asking = await launchFork(source.api, sessionId, 'Please write.', ['write_file']);
    await untilAsked(source.api, [asking]);
    elsewhere = await createTestDatabase();
    const file = join(folder, 'log.jsonl');
    exported = await runCli(['export', '--session', sessionId], { DATABASE_URL: source.databaseUrl });
    await writeFile(file, exported.stdout);
    imported = await runCli(['import', file, '--json'], { DATABASE_URL: elsewhere.url });
    target = await startSystem({ workers: 1, databaseUrl: elsewhere.url });
    await target.models.script('move', script);
  });
  afterAll(async () => {
    await target.stop();
    await source.stop();
    await elsewhere.drop();
    await rm(folder, { recursive: true });
  });

  it('is exported while everything runs, and imported into an empty database', () => {
    expect(exported).toMatchObject({ code: 0, stderr: expect.stringContaining('3 agents in 1 session') });
    expect(imported.code).toBe(0);
    expect(JSON.parse(imported.stdout)).toMatchObject({
      tear: null,
      trees: [{ outcome: 'imported', agents: 3 }],
    });
  });

  it('reads the same there, record for record', async () => {
    for (const agent of [sessionId, finished, asking]) {
      const there = await recordsOf(target.api, agent);
      const here = await recordsOf(source.api, agent);
      const facts = (records: typeof here) =>
        records.map(({ version, type, at, data }) => ({ version, type, at, data }));
      expect(facts(there).slice(0, here.length)).toEqual(facts(here));
    }
    expect((await target.api.get<{ status: string }>(`/v1/agents/${finished}`)).status).toBe('completed');
  });

  it('[RUN-3] goes on there: the waiting fork is answered, under its stored list, and the session forks again', async () => {
    const [approval] = await untilAsked(target.api, [asking]);
    await target.api.post(`/v1/approvals/${approval?.id}`, { decision: 'allow' });
    expect(await untilEnded(target.api, asking)).toMatchObject({
      status: 'completed',
      outcome: { result: 'Done.' },
      policy: { kind: 'list', entries: ['write_file'] },
    });
    const again = await launchFork(target.api, sessionId, 'Do nothing.');
    expect(await untilEnded(target.api, again)).toMatchObject({ status: 'completed' });
  });

  it('[RUN-5] tells the parent of an end that was told already not once more', async () => {
    await untilAgent(target.api, sessionId, () => true);
    const told = (await recordsOf(target.api, sessionId)).filter(
      ({ type, data }) => type === 'OutcomeDelivered' && data['agentId'] === finished,
    );
    expect(told).toHaveLength(1);
  });

  it('says what is wrong with a call that names nothing to export, a session that is not there and a database that is not there', async () => {
    const env = { DATABASE_URL: source.databaseUrl };
    const empty = { OFFSHOOT_DATA_DIR: join(folder, 'none') };
    expect(await runCli(['export'], env)).toMatchObject({
      code: 2,
      stderr: 'Say --session <id>, or --all.\n',
    });
    const id = '01890000-0000-7000-8000-00000000000a';
    expect(await runCli(['export', '--session', id], env)).toMatchObject({ code: 2, stdout: '' });
    const none = await runCli(['export', '--all'], empty);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no database in') });
  });

  it('works over an embedded database that does not run, and leaves it stopped', async () => {
    const env = { OFFSHOOT_DATA_DIR: join(folder, 'data') };
    const file = join(folder, 'log.jsonl');
    expect(await runCli(['import', file], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 imported'),
    });
    const { code, stdout } = await runCli(['export', '--all'], env);
    expect(code).toBe(0);
    const strip = (text: string) => text.split('\n').slice(1).join('\n');
    expect(strip(stdout)).toBe(strip(exported.stdout));
  });
});
