import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createPool, importFile } from '#transcripts';
import { event, newId } from '#transcripts/testing';
import { type ArchiveReport, archiveTrees } from './archive-trees.js';
import { ArchivingLock } from './archiving-lock.js';
import { ArchiveHarness, type Family } from './testing/archive-harness.js';

jest.setTimeout(120_000);

const lockHolders = `select pid from pg_locks where locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())
  and (classid::bigint << 32 | objid::bigint) = hashtextextended('offshoot archiving', 0)`;

describe('two archivings of one database', () => {
  let harness: ArchiveHarness;

  beforeAll(async () => {
    harness = await ArchiveHarness.open();
  });
  afterAll(() => harness.close());

  const fileOf = (root: string): string => join(harness.folder, `${root}.jsonl`);

  /** An archiving with connections of its own, which stands still behind the naming of its file and before its drop, while something is done. */
  async function stoppedBeforeDrop({ session }: Family, act: () => Promise<void>): Promise<ArchiveReport> {
    const pool = createPool({ url: harness.database.url, max: 4 });
    const connect = pool.connect.bind(pool);
    let isMet = false;
    // Its drop is the first to take a client of its own; single statements give a callback.
    const stopping = async () => {
      if (!isMet) {
        isMet = true;
        expect(await harness.files()).toContain(`${session}.jsonl`);
        await act();
      }
      return connect();
    };
    const stopped = new Proxy(pool, {
      get: (target, name) => {
        if (name === 'connect') return stopping;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const request = { folder: harness.folder, sessions: [session], endedBefore: null, isDryRun: false };
    try {
      return await archiveTrees({ ...harness.operation, pool: stopped }, request);
    } finally {
      expect(isMet).toBe(true);
      await pool.end();
    }
  }

  const expectInFileAlone = async ({ session, all }: Family): Promise<void> => {
    expect(await harness.rowsAbout(all)).toEqual({});
    const { store, pool } = harness;
    expect(await importFile({ store, pool, newId }, () => createReadStream(fileOf(session)))).toMatchObject({
      trees: [{ outcome: 'imported', agents: all.length }],
    });
    await harness.untilRead();
  };

  it('[LOG-4] the second is refused at once, and the first loses nothing by it', async () => {
    const family = await harness.endedFamily(1);
    let second: unknown = null;
    const first = await stoppedBeforeDrop(family, async () => {
      second = await harness.archive({ sessions: [family.session] }).catch((thrown: unknown) => thrown);
    });
    await expectInFileAlone(family);
    expect(second).toMatchObject({
      code: 'ARCHIVING_RUNS',
      message: 'Another archiving works on this database; wait for it to end.',
    });
    expect(first).toMatchObject({ archived: [{ root: family.session }], kept: [] });
  });

  it('[LOG-4] one that lost its lock removes no file, though another has archived the tree meanwhile', async () => {
    const family = await harness.endedFamily(1);
    let second: ArchiveReport | null = null;
    const first = stoppedBeforeDrop(family, async () => {
      await harness.pool.query(`select pg_terminate_backend(pid, 10000) from (${lockHolders}) held`);
      second = await harness.archive({ sessions: [family.session] });
    });
    await expect(first).rejects.toMatchObject({ code: 'ARCHIVING_LOCK_LOST' });
    expect(second).toMatchObject({ archived: [{ root: family.session }] });
    await expectInFileAlone(family);
  });

  it('[LOG-4] a file stays where the tree is not in the database any more, whoever took it away', async () => {
    const family = await harness.endedFamily(1);
    const report = await stoppedBeforeDrop(family, async () => {
      const { rows: tables } = await harness.pool.query<{ table: string; column: string }>(
        `select table_name as table, column_name as column from information_schema.columns
         where table_schema = 'public' and data_type = 'uuid' and column_name in ('stream', 'agent_id')`,
      );
      for (const { table, column } of tables)
        await harness.pool.query(`delete from ${table} where ${column} = any($1)`, [family.all]);
    });
    expect(report.kept).toMatchObject([{ reasons: [{ reason: 'went_on' }] }]);
    expect(await harness.files()).toContain(`${family.session}.jsonl`);
  });

  it('gives the lock back at its end, and a dry run goes beside it', async () => {
    const family = await harness.endedFamily(1);
    let dry: ArchiveReport | null = null;
    await stoppedBeforeDrop(family, async () => {
      dry = await harness.archive({ sessions: [family.session], isDryRun: true });
    });
    expect(dry).toMatchObject({ archived: [{ root: family.session }] });
    expect((await harness.pool.query(lockHolders)).rows).toEqual([]);
  });

  it('a fault of one session keeps that one, and the others go', async () => {
    const large = event.messageAppended({
      messageId: newId(),
      run: false,
      messages: [{ role: 'user', blocks: [{ type: 'text', text: 'x'.repeat(1_200_000) }] }],
    });
    const damaged = await harness.endedFamily(1);
    const barred = await harness.endedFamily(1);
    const sound = await harness.endedFamily(1);
    await harness.record(damaged.session, event.sessionReopened(), large, event.sessionClosed());
    await harness.untilRead();
    await harness.pool.query(`update blob_chunk set bytes = bytes || 'x'`);
    const writer = await ArchivingLock.with(harness.database.url, (lock) => Promise.resolve(lock.writer));
    const part = `${fileOf(barred.session)}.${writer}.part`;
    await mkdir(part);

    const report = await harness.archive({
      sessions: [damaged.session, barred.session, sound.session],
    });

    expect(report.archived.map(({ root }) => root)).toEqual([sound.session]);
    const reasons = new Map(report.kept.map(({ root, reasons: [reason] }) => [root, reason]));
    expect(reasons.get(damaged.session)).toMatchObject({
      reason: 'file_unverified',
      subject: damaged.session,
    });
    expect(reasons.get(barred.session)).toMatchObject({
      reason: 'file_failed',
      subject: expect.stringContaining(`${barred.session}.jsonl`),
    });
    await rm(part, { recursive: true });
    for (const kept of [damaged, barred]) {
      expect(Object.keys(await harness.rowsAbout(kept.all))).toContain('event.stream');
      expect(await harness.files()).not.toContain(`${kept.session}.jsonl`);
    }
  });
});
