import type pg from 'pg';

/** What a database takes on disk, indexes and out-of-line values included. */
export interface StoredBytes {
  /** The log alone: events and large payloads. */
  readonly log: number;
  /** The log, the read models, the checkpoints and the queue. */
  readonly everything: number;
}

const sizesText = `select coalesce(sum(size) filter (where is_log), 0)::float8 as log, sum(size)::float8 as everything
from (select pg_total_relation_size(c.oid) as size, n.nspname = 'public' and c.relname in ('event', 'blob_chunk') as is_log
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema') sizes`;

/** Pages of every table, as many as the server has given them by now. */
export async function storedBytes(client: pg.ClientBase): Promise<StoredBytes> {
  const { rows } = await client.query<StoredBytes>(sizesText);
  const [sizes] = rows;
  if (sizes === undefined) throw new Error('The server did not say how large its tables are.');
  return sizes;
}

export const growth = (before: StoredBytes, after: StoredBytes): StoredBytes => ({
  log: after.log - before.log,
  everything: after.everything - before.everything,
});
