import { afterAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, registerTemplate, requireTestName, type TestDatabase } from './test-database.js';

const made: TestDatabase[] = [];
const rowsOf = async (url: string, statement: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as unknown[];
  } finally {
    await client.end();
  }
};

describe('a test database', () => {
  afterAll(async () => {
    for (const database of made) await database.drop();
  });

  it('is empty, and its name says that it may be destroyed', async () => {
    const database = await createTestDatabase();
    made.push(database);
    expect(database.name).toContain('_test');
    expect(
      await rowsOf(database.url, "select 1 from pg_class where relnamespace = 'public'::regnamespace"),
    ).toEqual([]);
  });

  it('is a copy of the template once one is registered', async () => {
    const template = await registerTemplate(async (url) => {
      await rowsOf(url, 'create table seed as select 7 as n');
    });
    made.push(template);
    const copy = await createTestDatabase();
    made.push(copy);
    expect(await rowsOf(copy.url, 'select n from seed')).toEqual([{ n: 7 }]);
  });

  it('is refused under a name without _test', () => {
    expect(() => requireTestName('production')).toThrow(/_test/);
  });

  it('is gone after drop, also while a session is open in it', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    await database.drop();
    await expect(rowsOf(database.url, 'select 1')).rejects.toMatchObject({ code: '3D000' });
    await client.end().catch(() => undefined);
  });
});
