import type { Pool, PoolClient } from 'pg';

/**
 * Runs `work` in a transaction of its own connection. Throws what `work` throws, after a rollback; a connection whose
 * rollback fails is not given back to the pool.
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}
