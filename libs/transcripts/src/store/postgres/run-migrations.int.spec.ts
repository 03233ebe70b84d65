import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.js';
import { newAppend, wholeLog } from '../../testing/new-events.js';
import { createDataSource } from './create-data-source.js';
import { openPostgresLog } from './open-postgres-log.js';
import { hasPendingMigrations, runMigrations } from './run-migrations.js';

const patience = 30_000;

class CountRuns implements MigrationInterface {
  readonly name = 'CountRuns0000000000900';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table extra (id bigint generated always as identity)');
    await runner.query('insert into extra default values');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table extra');
  }
}

describe('runMigrations', () => {
  let database: TestDatabase;
  let sources: DataSource[];
  beforeEach(async () => {
    database = await createTestDatabase();
    sources = [];
  }, patience);
  afterEach(async () => {
    for (const source of sources) await source.destroy();
    await database.drop();
  });

  const open = async (): Promise<DataSource> => {
    const settings = { url: database.url, extraMigrations: [CountRuns], poolSize: 1 };
    const source = await createDataSource(settings).initialize();
    sources.push(source);
    return source;
  };

  const generations = async (): Promise<unknown> =>
    (await sources[0]!.query('select generation from log_generation order by 1')) as unknown;

  it(
    'is safe with eight programs that start at once: each migration runs once, one generation is opened',
    async () => {
      const eight = await Promise.all(Array.from({ length: 8 }, open));
      await Promise.all(eight.map((source) => runMigrations(source)));
      expect(await sources[0]!.query('select count(*)::int as runs from extra')).toEqual([{ runs: 1 }]);
      expect(await generations()).toEqual([{ generation: 1 }]);
      expect(await hasPendingMigrations(sources[0]!)).toBe(false);
    },
    patience,
  );

  it('[N05] says that migrations are pending before it ran, and changes nothing by opening', async () => {
    const source = await open();
    expect(await hasPendingMigrations(source)).toBe(true);
    expect(await source.query(`select to_regclass('event') as found`)).toEqual([{ found: null }]);
  });

  it('[N05] leaves a column alone that it does not know', async () => {
    await runMigrations(await open());
    await sources[0]!.query('alter table extra add column unknown text');
    await sources[0]!.query(`update extra set unknown = 'kept'`);
    await runMigrations(await open());
    expect(await sources[0]!.query('select unknown from extra')).toEqual([{ unknown: 'kept' }]);
  });

  it('opens no new generation when it runs again on the same cluster', async () => {
    await runMigrations(await open());
    await append(database.url);
    await runMigrations(sources[0]!);
    expect(await generations()).toEqual([{ generation: 1 }]);
  });

  it.each([
    [
      'stored transaction ids lie ahead of the cluster',
      `update event set xid = (pg_current_xact_id()::text::bigint + 1000000)::text::xid8`,
    ],
    ['another system identifier answers', `update log_generation set system_identifier = '1'`],
  ])(
    'after a restore where %s, old events stay readable and new ones come behind them',
    async (_what, restored) => {
      await runMigrations(await open());
      const old = await append(database.url);
      await sources[0]!.query(restored);
      await runMigrations(sources[0]!);
      expect(await generations()).toEqual([{ generation: 1 }, { generation: 2 }]);
      const fresh = await append(database.url);
      const log = await openPostgresLog({ url: database.url });
      const places = (await wholeLog(log.store)).map((event) => [event.stream, event.place.generation]);
      await log.close();
      expect(places).toEqual([
        [old, 1],
        [fresh, 2],
      ]);
    },
  );
});

async function append(url: string): Promise<string> {
  const log = await openPostgresLog({ url });
  const request = newAppend();
  await log.store.append(request);
  await log.close();
  return request.stream;
}
