import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { eventually } from '../queue/testing/eventually.js';
import { newId } from '../ids/new-id.js';
import { hashKey, isApiKey } from './api-key.js';
import { KeyStore } from './key-store.js';
import { KeyWatch } from './key-watch.js';
import { keysMigration, keysMigrationDown } from './keys-migration.js';

const request = { name: 'ci', tenant: 'acme', scopes: ['launch' as const] };

describe('the store of keys', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let store: KeyStore;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 2 });
    pool.on('error', () => undefined);
    store = new KeyStore(pool);
    for (const statement of keysMigration) await pool.query(statement);
  });
  beforeEach(() => pool.query('truncate api_key'));
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** Everything that the database holds of keys, as text. */
  async function everything(): Promise<string> {
    const { rows } = await pool.query<{ row: string }>('select api_key::text as row from api_key');
    return rows.map(({ row }) => row).join('\n');
  }

  it('[SEC-1] holds the hash of a key and never the key', async () => {
    const made = await store.create(request);
    const secret = made.key.slice('osk_'.length);
    expect(isApiKey(made.key)).toBe(true);
    expect(await everything()).toContain(hashKey(made.key));
    expect(await everything()).not.toContain(secret);
    expect(await everything()).not.toContain(Buffer.from(secret).toString('hex'));
    expect(await store.live()).toEqual([
      { id: made.id, tenant: 'acme', scopes: ['launch'], digest: hashKey(made.key) },
    ]);
    expect(JSON.stringify(await store.list())).not.toContain(hashKey(made.key));
  });

  it('lists every key, of one tenant where one is named, and never a digest', async () => {
    const first = await store.create(request);
    const second = await store.create({ name: 'on call', tenant: 'globex', scopes: ['observe', 'operate'] });
    const { key: _first, ...shown } = first;
    expect(await store.list()).toEqual([shown, expect.objectContaining({ id: second.id, name: 'on call' })]);
    expect((await store.list('globex')).map(({ id }) => id)).toEqual([second.id]);
    expect(await store.list('nobody')).toEqual([]);
    expect(shown).toMatchObject({ ...request, revokedAt: null, lastUsedAt: null });
    expect(shown.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it('[SEC-1] ends a key once, for good, and knows of no other', async () => {
    const [made, other] = [await store.create(request), await store.create(request)];
    const revocations = await Promise.all([1, 2, 3].map(() => store.revoke(made.id)));
    const outcomes = revocations.map(({ outcome }) => outcome).sort();
    expect(outcomes).toEqual(['already-revoked', 'already-revoked', 'revoked']);
    const times = revocations.map((one) => (one.outcome === 'unknown' ? null : one.key.revokedAt));
    expect(new Set(times).size).toBe(1);
    expect(await store.revoke(newId())).toEqual({ outcome: 'unknown' });
    expect((await store.live()).map(({ id }) => id)).toEqual([other.id]);
    expect(await store.list()).toHaveLength(2);
  });

  it('notes the use of a key at most once a minute', async () => {
    const made = await store.create(request);
    const stamp = async (): Promise<unknown> =>
      (await pool.query<{ at: Date | null }>('select last_used_at as at from api_key')).rows[0]?.at;
    await store.touch([made.id, newId()]);
    const first = await stamp();
    expect(first).toBeInstanceOf(Date);
    await store.touch([made.id]);
    expect(await stamp()).toEqual(first);
    await pool.query(`update api_key set last_used_at = last_used_at - interval '61 seconds'`);
    await store.touch([made.id]);
    expect(Number(await stamp())).toBeGreaterThanOrEqual(Number(first));
  });

  describe('wakes who listens', () => {
    let wakes: number;
    let watch: KeyWatch;

    beforeEach(async () => {
      wakes = 0;
      watch = new KeyWatch({
        databaseUrl: database.url,
        applicationName: 'spec-keys',
        onChange: () => (wakes += 1),
        onFault: () => undefined,
      });
      await watch.open();
      // Listening has begun: whatever changed before is read by whoever was woken by it.
      expect(wakes).toBe(1);
    });

    const woken = (times: number) =>
      eventually(
        () => Promise.resolve(wakes),
        (seen) => seen >= times,
      );

    it('[SEC-1] when a key is made, ended or changed by hand, and not when one is used', async () => {
      const made = await store.create(request);
      await woken(2);
      await store.touch([made.id]);
      await store.revoke(made.id);
      await woken(3);
      await pool.query(`update api_key set scopes = '{observe}'`);
      await woken(4);
      await pool.query('delete from api_key');
      await woken(5);
      await watch.close();
      expect(wakes).toBe(5);
    });

    it('[SEC-1] again after the connection was lost, and the loss itself wakes', async () => {
      await pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'spec-keys'`,
      );
      await woken(2);
      await store.create(request);
      await woken(3);
      await watch.close();
    });
  });

  it('is taken back whole', async () => {
    const other = await createTestDatabase();
    const client = new pg.Client({ connectionString: other.url });
    await client.connect();
    for (const statement of [...keysMigration, ...keysMigrationDown, ...keysMigration])
      await client.query(statement);
    await client.end();
    await other.drop();
  });
});
