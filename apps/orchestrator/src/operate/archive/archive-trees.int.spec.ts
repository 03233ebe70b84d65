import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { executeCommand, importFile, loadMeta, resumeAgent } from '#transcripts';
import { event, newId, testContext, wholeStream } from '#transcripts/testing';
import { projectionsOver } from '../../projections/projections.js';
import { ArchiveHarness, type Family } from './testing/archive-harness.js';
import { treeColumns } from './tree-columns.js';

jest.setTimeout(120_000);

describe('an ended tree', () => {
  let harness: ArchiveHarness;
  let family: Family;

  beforeAll(async () => {
    harness = await ArchiveHarness.open();
  });
  afterAll(() => harness.close());

  const fileOf = (root: string): string => join(harness.folder, `${root}.jsonl`);
  const one = (root: string) => harness.archive({ sessions: [root] });
  const reasonsOf = async (root: string) => (await one(root)).kept.flatMap(({ reasons }) => reasons);
  const take = (root: string) =>
    importFile({ store: harness.store, pool: harness.pool, newId }, () => createReadStream(fileOf(root)));

  describe('that nobody needs', () => {
    it('leaves no row in any table, and a file that holds all of it', async () => {
      const asked = event.approvalRequested({ approvalId: newId(), expiresInMs: 60_000 });
      family = await harness.endedFamily(2, [asked]);
      const other = await harness.endedFamily(1);
      const before = await Promise.all(family.all.map((agent) => wholeStream(harness.store, agent)));
      expect(Object.keys(await harness.rowsAbout(family.all))).toEqual(
        expect.arrayContaining(['agent_roster.agent_id', 'approval_inbox.agent_id', 'event.stream']),
      );

      const report = await one(family.session);

      expect(report).toEqual({
        archived: [
          { root: family.session, file: fileOf(family.session), agents: 3, events: before.flat().length },
        ],
        kept: [],
        payloads: 0,
      });
      expect(await harness.rowsAbout(family.all)).toEqual({});
      expect(await harness.rowsAbout(other.all)).not.toEqual({});
      expect(await harness.files()).toEqual([`${family.session}.jsonl`]);
      expect(await harness.findings()).toEqual([]);
      expect(await harness.archive({ sessions: [other.session], isDryRun: true })).toMatchObject({
        archived: [{ root: other.session }],
      });
    });

    it('is brought back by an import, record for record, and its agents can be resumed', async () => {
      await harness.untilRead();
      expect(await take(family.session)).toMatchObject({ trees: [{ outcome: 'imported', agents: 3 }] });
      await harness.untilRead();
      const [fork = ''] = family.forks;
      expect((await wholeStream(harness.store, fork)).map(({ type }) => type).slice(-1)).toEqual([
        'AgentCompleted',
      ]);
      // Its end was told before it was archived, and is not told again.
      const told = await loadMeta(harness.store, family.session);
      expect(told.status).toBe('closed');
      expect([...told.delivered].sort()).toEqual(family.forks.map((id) => `${id}/1`).sort());
      expect(told.pending).toHaveLength(2);
      expect(await harness.findings()).toEqual([]);

      const message = { messageId: newId(), from: 'key:spec', text: 'Go on.' };
      const resumed = await executeCommand(harness.operation.tools, {
        stream: fork,
        context: testContext,
        decide: (meta) => resumeAgent({ message, mode: 'build', ceiling: meta.launch?.ceiling }, meta),
      });
      expect(resumed.ok).toBe(true);
      await harness.untilRead();
      expect(await harness.rowsAbout([fork])).toMatchObject({ 'dispatch.agent_id': 1 });
      expect(await reasonsOf(family.session)).toEqual([{ reason: 'agent_unfinished', subject: fork }]);
      expect(await harness.findings()).toEqual([]);
    });

    it('is archived once more, over the file of the first time, which holds less of it', async () => {
      const [fork = ''] = family.forks;
      const cancelled = event.agentCancelled({ activation: 2 });
      await harness.record(fork, cancelled);
      await harness.untilRead();
      const first = await readFile(fileOf(family.session), 'utf8');
      expect(await one(family.session)).toMatchObject({ archived: [{ root: family.session }], kept: [] });
      expect((await readFile(fileOf(family.session), 'utf8')).length).toBeGreaterThan(first.length);
      expect(await harness.rowsAbout(family.all)).toEqual({});
    });

    it('is not found by its id any more, in words that say so', async () => {
      await expect(one(family.session)).rejects.toThrow(/is in this log; it was archived before/);
      await expect(one(newId())).rejects.toThrow(/is in this log; an agent below/);
    });
  });

  describe('that is still needed', () => {
    const untouched = async (kept: Family): Promise<void> => {
      expect(await harness.files()).not.toContain(`${kept.session}.jsonl`);
      expect(Object.keys(await harness.rowsAbout(kept.all))).toContain('event.stream');
    };

    it('stays while its session is open, or an agent in it has not ended', async () => {
      const open = await harness.endedFamily(1);
      await harness.record(open.session, event.sessionReopened());
      expect(await reasonsOf(open.session)).toEqual([{ reason: 'session_open', subject: open.session }]);
      const running = await harness.fork(open.session);
      await harness.record(open.session, event.sessionClosed());
      expect(await reasonsOf(open.session)).toEqual([{ reason: 'agent_unfinished', subject: running }]);
      await harness.record(running, event.revivalBlocked({ reason: 'parent_closed' }));
      expect(await reasonsOf(open.session)).toEqual([{ reason: 'agent_unfinished', subject: running }]);
      await untouched(open);
    });

    it('[RUN-5] stays until its parent was told of its end, and every reader has come past it', async () => {
      await harness.untilRead();
      await harness.stopReaders();
      const session = await harness.openSession();
      const fork = await harness.endedFork(session);
      await harness.record(session, event.sessionClosed());
      expect(await reasonsOf(session)).toEqual([{ reason: 'outcome_undelivered', subject: fork }]);
      harness.startReaders();
      await harness.untilRead();
      await harness.pool.query(
        `insert into checkpoint select 'telling', generation, xid, position from event order by position limit 1`,
      );
      expect(await reasonsOf(session)).toEqual([{ reason: 'reader_behind', subject: 'telling' }]);
      await harness.pool.query(`delete from checkpoint where reader = 'telling'`);
      await harness.pool.query(`create table aside as select * from checkpoint where reader = 'family'`);
      await harness.stopReaders();
      await harness.pool.query(`delete from checkpoint where reader = 'family'`);
      expect(await reasonsOf(session)).toEqual([{ reason: 'reader_behind', subject: 'family' }]);
      await harness.pool.query('insert into checkpoint select * from aside');
      await harness.pool.query('drop table aside');
      harness.startReaders();
      expect(await one(session)).toMatchObject({ kept: [] });
    });

    it('stays while an agent elsewhere inherits from it, and goes together with that one, after it', async () => {
      const source = await harness.endedFamily(1);
      const heirs = await harness.openSession();
      const [fork = ''] = source.forks;
      const heir = await harness.fork(heirs, fork);
      await harness.record(
        heir,
        event.runStarted({ runId: newId(), workerId: newId() }),
        event.agentCompleted(),
      );
      await harness.untilRead();
      await harness.record(heirs, event.sessionClosed());
      await harness.untilRead();
      expect(await reasonsOf(source.session)).toEqual([{ reason: 'inherited_from', subject: heir }]);
      await untouched(source);
      const both = await harness.archive({ sessions: [source.session, heirs] });
      expect(both.archived.map(({ root }) => root)).toEqual([heirs, source.session]);
      expect(await take(heirs)).toMatchObject({ trees: [{ outcome: 'refused', code: 'BOOTSTRAP_MISSING' }] });
      expect(await take(source.session)).toMatchObject({ trees: [{ outcome: 'imported' }] });
      expect(await take(heirs)).toMatchObject({ trees: [{ outcome: 'imported' }] });
    });

    it('stays where it ended later than what was asked for, which a dry run says without doing anything', async () => {
      const late = await harness.endedFamily(1);
      const asked = { sessions: [late.session], endedBefore: '2026-01-01T00:00:00Z' };
      expect(await harness.archive(asked)).toMatchObject({
        archived: [],
        kept: [{ reasons: [{ reason: 'ended_recently', subject: late.session }] }],
      });
      const future = { ...asked, endedBefore: '2999-01-01T00:00:00Z', isDryRun: true };
      expect(await harness.archive(future)).toMatchObject({
        archived: [{ root: late.session, agents: 2 }],
        kept: [],
      });
      await untouched(late);
    });

    it('stays where its file would replace one that holds something else', async () => {
      const first = await harness.endedFamily(1);
      await writeFile(fileOf(first.session), 'a letter');
      expect(await reasonsOf(first.session)).toEqual([
        { reason: 'file_exists', subject: fileOf(first.session) },
      ]);
      expect(await readFile(fileOf(first.session), 'utf8')).toBe('a letter');
    });

    it('stays where its chain is broken: what cannot be verified is never dropped', async () => {
      const broken = await harness.endedFamily(1);
      const [fork = ''] = broken.forks;
      await harness.pool.query(
        `update event set data = replace(data, 'look', 'lock') where stream = $1 and type = 'LaunchPromptRecorded'`,
        [fork],
      );
      expect((await reasonsOf(broken.session)).map(({ reason }) => reason)).toEqual(['file_unverified']);
      await untouched(broken);
      await harness.pool.query('delete from event where stream = any($1)', [broken.all]);
      await harness.pool.query('delete from agent_roster where agent_id = any($1)', [broken.all]);
    });

    it('stays while a projection is rebuilt, which would bring its rows back', async () => {
      const held = await harness.endedFamily(1);
      const holder = await harness.pool.connect();
      await holder.query(`select pg_advisory_lock(hashtextextended('offshoot shadow agent-roster', 0))`);
      expect(await reasonsOf(held.session)).toEqual([{ reason: 'projection_held', subject: 'agent-roster' }]);
      await holder.query('select pg_advisory_unlock_all()');
      holder.release();
      await untouched(held);
      expect(await one(held.session)).toMatchObject({ kept: [] });
    });
  });

  it('is found in every table of a projection by the agent of each row', async () => {
    const { rows } = await harness.pool.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'`,
    );
    const columns = rows.map(({ table, column }) => ({ table, column }));
    expect(columns).toEqual(
      expect.arrayContaining([...treeColumns(projectionsOver(harness.operation.cache))]),
    );
  });
});
