import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../../store/postgres/in-transaction.js';
import { hiddenPictures } from './hidden-pictures.js';

// Older than what an append under way may still want: a payload is saved, or marked as wanted, right before its event.
const isOld = `c.saved_at < now() - interval '1 hour'`;

const unwantedText = `with picture as materialized (
  select decode(substring(data from '"picture":\\{[^}]*"blob":"([0-9a-f]{64})"'), 'hex') as hash
  from event where type = 'ToolCallFinished' and data like '%"picture":{%')
select l.hash, (exists (select 1 from event e where e.blob = l.hash)
  or exists (select 1 from picture p where p.hash = l.hash)) as is_wanted
from blob_leftover l join blob_chunk c on c.hash = l.hash and c.chunk = 0 where ${isOld} order by l.hash`;

/** The lock keeps whoever wants one of them now waiting; it is then saved anew. One that is locked is wanted. */
const takeText = `select c.hash from blob_chunk c where c.hash = any($1::bytea[]) and c.chunk = 0 and ${isOld}
order by c.hash for update skip locked`;

/** Payloads that are deleted in one transaction. */
const atOnce = 100;

/**
 * Deletes payloads that archived trees referred to and no event refers to any more. One that was saved or asked for within the hour is left
 * for a later sweep. Answers how many were deleted. May be killed at any time and run by several processes at once.
 */
export async function sweepBlobs(pool: Pool): Promise<number> {
  const { wanted, unwanted } = await judge(pool);
  await forget(pool, wanted);
  let deleted = 0;
  for (let start = 0; start < unwanted.length; start += atOnce)
    deleted += await inTransaction(pool, (client) => remove(client, unwanted.slice(start, start + atOnce)));
  return deleted;
}

async function judge(pool: Pool): Promise<Readonly<Record<'wanted' | 'unwanted', readonly Buffer[]>>> {
  const { rows } = await inTransaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0');
    return client.query<{ hash: Buffer; is_wanted: boolean }>(unwantedText);
  });
  const hidden = rows.length === 0 ? new Set<string>() : await hiddenPictures(pool, null);
  const isWanted = (row: (typeof rows)[number]) => row.is_wanted || hidden.has(row.hash.toString('hex'));
  return {
    wanted: rows.filter(isWanted).map(({ hash }) => hash),
    unwanted: rows.filter((row) => !isWanted(row)).map(({ hash }) => hash),
  };
}

const forgetText = 'delete from blob_leftover where hash = any($1::bytea[])';

const forget = (client: Pool | PoolClient, hashes: readonly Buffer[]) => client.query(forgetText, [hashes]);

async function remove(client: PoolClient, hashes: readonly Buffer[]): Promise<number> {
  const { rows } = await client.query<{ hash: Buffer }>(takeText, [hashes]);
  const taken = rows.map(({ hash }) => hash);
  await client.query('delete from blob_chunk where hash = any($1::bytea[])', [taken]);
  await forget(client, taken);
  return taken.length;
}
