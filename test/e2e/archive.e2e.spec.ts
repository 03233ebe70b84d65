import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { splitLines, surveyFile } from '#transcripts';
import { launchFork, openSession, recordsOf, untilEnded, untilRecorded } from '../support/e2e/agents.js';
import { KilledCli } from '../support/e2e/killed-cli.js';
import { until } from '../support/e2e/processes.js';
import { rawRequest } from '../support/e2e/raw-request.js';
import { type CliAnswer, runCli } from '../support/e2e/run-cli.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(180_000);

const script = { rules: [{ answer: { text: 'Nothing to do.' } }] };

/** A payload that is kept beside the log, because it is large. */
const largeHistory = [
  { role: 'user', content: `Remember this. ${'x'.repeat(1_200_000)}` },
  { role: 'assistant', content: 'I will.' },
];

describe('archiving', () => {
  let system: TestSystem;
  let folder: string;
  let client: pg.Client;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offshoot-archives-'));
    system = await startSystem({ workers: 1 });
    await system.models.script('archive', script);
    client = new pg.Client({ connectionString: system.databaseUrl });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await system.stop();
    await rm(folder, { recursive: true });
  });

  interface Tree {
    readonly session: string;
    readonly fork: string;
  }

  const endedTree = async (history?: readonly object[]): Promise<Tree> => {
    const session = await openSession(system.api, {
      projectRoot: folder,
      model: 'scripted:archive',
      ...(history === undefined ? {} : { history }),
    });
    const fork = await launchFork(system.api, session, 'Do nothing.');
    await untilEnded(system.api, fork);
    await untilRecorded(system.api, session, 'OutcomeDelivered', fork);
    await system.api.post(`/v1/sessions/${session}/close`);
    return { session, fork };
  };
  const cli = (...args: string[]): Promise<CliAnswer> => runCli(args, { DATABASE_URL: system.databaseUrl });
  const archiveArgs = ({ session }: Tree) => ['archive', '--to', folder, '--session', session, '--json'];
  /** The readers of the log are a moment behind what was just closed. */
  const archived = async (tree: Tree): Promise<CliAnswer> => {
    let answer = await cli(...archiveArgs(tree));
    while (answer.stdout.includes('reader_behind')) answer = await cli(...archiveArgs(tree));
    return answer;
  };
  const fileOf = ({ session }: Tree): string => join(folder, `${session}.jsonl`);
  const eventsOf = async ({ session, fork }: Tree): Promise<number> => {
    const { rows } = await client.query<{ events: number }>(
      'select count(*)::int as events from event where stream = any($1)',
      [[session, fork]],
    );
    return rows[0]?.events ?? -1;
  };
  const isWholeFile = async (tree: Tree): Promise<boolean> => {
    const { trees, tear } = await surveyFile(splitLines(createReadStream(fileOf(tree))));
    return tear === null && trees.length === 1 && trees[0]?.fault === null && trees[0].agents.length === 2;
  };
  const isThere = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    );

  /** Holds something that the archiving needs next, from a connection of its own; answers how to tell that it waits, and how to let go. */
  const holding = async (statement: string) => {
    const holder = new pg.Client({ connectionString: system.databaseUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query(statement);
    const isWaitedFor = async (): Promise<boolean> => {
      const { rowCount } = await client.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'offshoot-operate'`,
      );
      return (rowCount ?? 0) > 0;
    };
    return { isWaitedFor, letGo: () => holder.end() };
  };

  const readyTree = async (history?: readonly object[]): Promise<Tree> => {
    const tree = await endedTree(history);
    await until(
      'the readers',
      async () => (await cli('archive', '--dry-run', '--session', tree.session)).code === 0,
    );
    return tree;
  };

  describe('a session that has ended', () => {
    let tree: Tree;
    let records: Awaited<ReturnType<typeof recordsOf>>;

    beforeAll(async () => {
      tree = await endedTree();
      records = await recordsOf(system.api, tree.fork);
    });

    it('is listed by a dry run, and a session that goes on is kept with the reason', async () => {
      const open = await openSession(system.api, { projectRoot: folder, model: 'scripted:archive' });
      await until(
        'the readers',
        async () => (await cli('archive', '--dry-run', '--session', tree.session)).code === 0,
      );
      const { code, stdout } = await cli('archive', '--dry-run', '--ended-before', '2999-01-01');
      expect(code).toBe(0);
      expect(stdout).toContain(`${tree.session}  2 `);
      expect(stdout).toMatch(new RegExp(`${open}  session_open +${open}`));
      expect(await isThere(fileOf(tree))).toBe(false);
      const named = await cli('archive', '--to', folder, '--session', open);
      expect(named).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('0 sessions archived, 1 kept'),
      });
    });

    it('is a file afterwards, and for everybody else an agent that was archived', async () => {
      const before = await eventsOf(tree);
      const answer = await archived(tree);
      expect(answer).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(answer.stdout)).toMatchObject({
        archived: [{ root: tree.session, file: fileOf(tree), agents: 2, events: before }],
        kept: [],
      });
      expect([await eventsOf(tree), await isWholeFile(tree)]).toEqual([0, true]);
      const asked = [
        ['GET', `/v1/agents/${tree.fork}`],
        ['GET', `/v1/agents/${tree.fork}/transcript`],
        ['GET', `/v1/agents/${tree.fork}/events`],
        ['POST', `/v1/agents/${tree.fork}/messages`, { text: 'Go on.' }],
        ['POST', `/v1/agents/${tree.fork}/fork`, { description: 'x', prompt: 'y' }],
        [
          'POST',
          `/v1/sessions/${tree.session}/agents`,
          { description: 'x', prompt: 'y', subagent_type: 'fork' },
        ],
        ['POST', `/v1/sessions/${tree.session}/reopen`],
      ] as const;
      for (const [method, path, body] of asked) {
        const answer = await rawRequest(system, path, {
          method,
          ...(body === undefined ? {} : { json: body }),
        });
        expect([path, answer.status, answer.body]).toEqual([
          path,
          404,
          expect.objectContaining({ code: 'AGENT_ARCHIVED' }),
        ]);
      }
      const { items } = await system.api.get<{ items: readonly { id: string }[] }>('/v1/agents');
      expect(items.map(({ id }) => id)).not.toContain(tree.fork);
      expect(await cli('doctor', '--json')).toMatchObject({ code: 0 });
      expect(await cli('projections', 'rebuild')).toMatchObject({ code: 0 });
      expect(await cli('doctor', '--json')).toMatchObject({ code: 0 });
    });

    it('comes back with an import, reads the same, and its fork goes on when it is told to', async () => {
      expect(await cli('import', fileOf(tree))).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('1 imported'),
      });
      const facts = (all: typeof records) =>
        all.map(({ version, type, at, data }) => ({ version, type, at, data }));
      expect(facts(await recordsOf(system.api, tree.fork))).toEqual(facts(records));
      await system.api.post(`/v1/sessions/${tree.session}/reopen`);
      await system.api.post(`/v1/agents/${tree.fork}/messages`, { text: 'Once more.' });
      await untilRecorded(system.api, tree.fork, 'AgentResumed');
      expect(await untilEnded(system.api, tree.fork)).toMatchObject({ status: 'completed', activation: 2 });
      await untilRecorded(system.api, tree.session, 'OutcomeDelivered', '"activation":2');
      expect(await cli('doctor', '--json')).toMatchObject({ code: 0 });
    });
  });

  it('says what is wrong with a call that selects nothing, goes nowhere or names no time', async () => {
    expect(await cli('archive', '--to', folder)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Say --session'),
    });
    expect(await cli('archive', '--session', '1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--to <folder>'),
    });
    expect(await cli('archive', '--to', folder, '--session', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no session id'),
    });
    expect(await cli('archive', '--to', folder, '--ended-before', '31.1.2026')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is no time'),
    });
  });

  describe('killed', () => {
    /** An archiving that has come so far, and is killed there after something was done beside it. */
    const killedAt = async (
      tree: Tree,
      isThereYet: () => Promise<boolean>,
      beside = () => Promise.resolve(),
    ): Promise<void> => {
      const run = KilledCli.start(archiveArgs(tree), { DATABASE_URL: system.databaseUrl });
      await until('the archiving to come there', () => {
        if (run.hasEnded) throw new Error('The archiving ended before.');
        return isThereYet();
      });
      await beside();
      expect(run.hasEnded).toBe(false);
      await run.kill();
    };

    /** Makes the archiving of a tree stand still while it writes: into a pipe that nobody reads. */
    const stoppedInWriting = async (tree: Tree) => {
      const { rows } = await client.query<{ writer: string; at: string }>(
        `select (select system_identifier from pg_control_system()) || '-' || oid as writer, clock_timestamp()::text as at
         from pg_database where datname = current_database()`,
      );
      const part = `${fileOf(tree)}.${rows[0]?.writer ?? ''}.part`;
      await promisify(execFile)('mkfifo', [part]);
      const isWriting = async (): Promise<boolean> => {
        const { rowCount } = await client.query(
          `select 1 from pg_stat_activity where application_name = 'offshoot-operate' and state = 'idle'
           and query like '%reader not like%' and state_change > $1::timestamptz`,
          [rows[0]?.at],
        );
        return (rowCount ?? 0) > 0;
      };
      return { isWriting, letGo: () => rm(part) };
    };

    /** As an operator would go on, who knows nothing of what came to be. */
    const expectOneOfTwo = async (tree: Tree, before: number): Promise<'whole' | 'gone'> => {
      await until('the end of its transaction', async () => {
        const { rowCount } = await client.query(
          `select 1 from pg_stat_activity where application_name = 'offshoot-operate' and state <> 'idle'`,
        );
        return rowCount === 0;
      });
      const events = await eventsOf(tree);
      if (events === 0) expect(await isWholeFile(tree)).toBe(true);
      else expect(events).toBe(before);
      expect(await cli('doctor', '--json')).toMatchObject({ code: 0 });
      return events === 0 ? 'gone' : 'whole';
    };

    it('[LOG-4] while it writes the file: the tree is whole, and the next run archives it', async () => {
      const tree = await readyTree();
      const before = await eventsOf(tree);
      const { isWriting, letGo } = await stoppedInWriting(tree);
      await killedAt(tree, isWriting);
      await letGo();
      expect(await expectOneOfTwo(tree, before)).toBe('whole');
      expect(await isThere(fileOf(tree))).toBe(false);
      expect(await archived(tree)).toMatchObject({ code: 0 });
      expect(await expectOneOfTwo(tree, before)).toBe('gone');
    });

    it('[LOG-4] with others beside it: they are refused with code 2 and the reason until its end, but for a dry run', async () => {
      const [tree, other] = [await readyTree(), await readyTree()];
      const answers: CliAnswer[] = [];
      const { isWriting, letGo } = await stoppedInWriting(tree);
      await killedAt(tree, isWriting, async () => {
        answers.push(await cli(...archiveArgs(other)));
        answers.push(await cli('archive', '--to', folder, '--session', other.session));
        answers.push(await cli('archive', '--dry-run', '--session', other.session));
      });
      await letGo();
      const [asJson, asText, dry] = answers;
      const message = 'Another archiving works on this database; wait for it to end.';

      expect(asJson).toMatchObject({ code: 2, stderr: '' });
      expect(JSON.parse(asJson?.stdout ?? '')).toEqual({ error: { code: 'ARCHIVING_RUNS', message } });
      expect(asText).toEqual({ code: 2, stdout: '', stderr: `${message}\n` });
      expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining(`${other.session}  2 `) });
      expect(await isThere(fileOf(other))).toBe(false);
      let later = await cli(...archiveArgs(other));
      // The server notices a killed client a moment later.
      while (later.stdout.includes('ARCHIVING_RUNS')) later = await cli(...archiveArgs(other));
      expect(later).toMatchObject({ code: 0 });
    });

    it.each([
      [
        'when the file is there and nothing is dropped',
        `select pg_advisory_xact_lock(hashtextextended('offshoot archive', 0))`,
      ],
      ['when rows are dropped and the end waits for the log', 'lock table event in row exclusive mode'],
    ])(
      '[LOG-4] %s: the tree is whole, and the next run takes the place of the file',
      async (_when, statement) => {
        const tree = await readyTree();
        const before = await eventsOf(tree);
        const held = await holding(statement);
        await killedAt(tree, held.isWaitedFor);
        await held.letGo();
        expect(await expectOneOfTwo(tree, before)).toBe('whole');
        expect(await isWholeFile(tree)).toBe(true);
        expect(await archived(tree)).toMatchObject({ code: 0 });
        expect(await expectOneOfTwo(tree, before)).toBe('gone');
      },
    );

    it('[LOG-4] when the tree is gone and payloads are left: the next run deletes them', async () => {
      const large = await readyTree(largeHistory);
      // Somebody may be about to refer to a payload that was saved within the hour.
      expect(JSON.parse((await archived(large)).stdout)).toMatchObject({ payloads: 0 });
      await client.query(`update blob_chunk set saved_at = saved_at - interval '2 hours'`);
      const tree = await readyTree();
      const before = await eventsOf(tree);
      const held = await holding('lock table blob_chunk in access exclusive mode');
      await killedAt(tree, async () => (await held.isWaitedFor()) && (await eventsOf(tree)) === 0);
      await held.letGo();
      expect(await expectOneOfTwo(tree, before)).toBe('gone');
      const again = await cli(...archiveArgs(tree));
      expect(again).toMatchObject({ code: 2, stdout: expect.stringContaining('it was archived before') });
      const other = await readyTree();
      expect(JSON.parse((await archived(other)).stdout)).toMatchObject({ payloads: 1 });
      expect((await client.query('select 1 from blob_chunk')).rowCount).toBe(0);
      expect(await cli('doctor', '--json')).toMatchObject({ code: 0 });
    });
  });
});
