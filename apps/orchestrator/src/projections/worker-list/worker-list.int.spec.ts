import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { newId, WorkerNotes } from '#platform';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.js';
import { migrateDatabase } from '../../migrations/migrate-database.js';
import { WorkerList } from './worker-list.js';

describe('the list of workers', () => {
  let database: TestDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrateDatabase(database.url, () => undefined);
    pool = new pg.Pool({ connectionString: database.url, max: 2 });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('[L17] [SEC-1] says how many late results each dropped, to each tenant its own', async () => {
    const [busy, calm] = [newId(), newId()];
    await pool.query(
      `insert into worker (id, lock_key, pid, host, capacity, backend_pid, renewed_at, lease_until)
       select id, 1, 1, 'h', 4, 1, now(), now() from unnest($1::uuid[]) w(id)`,
      [[busy, calm]],
    );
    const notes = new WorkerNotes(busy, {
      ...{ databaseUrl: database.url, applicationName: 'spec' },
      onFault: () => undefined,
    });
    for (const tenant of ['acme', 'acme', 'other']) await notes.lateResult(tenant);
    await notes.close();
    const shown = async (tenant: string) =>
      new Map((await new WorkerList(pool).list(tenant)).map(({ id, lateResults }) => [id, lateResults]));
    expect(await shown('acme')).toEqual(
      new Map([
        [busy, 2],
        [calm, 0],
      ]),
    );
    expect((await shown('other')).get(busy)).toBe(1);
    expect((await shown('nobody')).get(busy)).toBe(0);
  });
});
