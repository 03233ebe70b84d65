import type { LogPlace } from '../../events/recorded-event.js';
import { queryText, type SqlClient } from '../../store/postgres/sql-client.js';

/**
 * Where readers of the log stopped, by reader name. Handed the client of the reader's own transaction, so that a
 * checkpoint is saved with the effects that it speaks of, or not at all.
 */
interface CheckpointRow {
  readonly generation: string;
  readonly xid: string;
  readonly position: string;
}

export const readText = 'select generation, xid, position from checkpoint where reader = $1';
export const saveText = `insert into checkpoint (reader, generation, xid, position)
values ($1, $2::int, $3::xid8, $4::bigint)
on conflict (reader) do update set generation = excluded.generation, xid = excluded.xid,
  position = excluded.position, saved_at = clock_timestamp()`;
const deleteText = 'delete from checkpoint where reader = $1';
const moveText = 'update checkpoint set reader = $2 where reader = $1';
export const lockText = `select pg_try_advisory_xact_lock(hashtextextended('offshoot reader ' || $1, 0)) as taken`;

const shadowLockText = `select pg_try_advisory_xact_lock(hashtextextended('offshoot shadow ' || $1, 0)) as taken`;

/** Keeps rebuilds and comparisons of a projection away until the transaction ends; false when one is under way. */
export async function takeShadowLock(client: SqlClient, projection: string): Promise<boolean> {
  const [row] = await queryText<{ readonly taken: 't' | 'f' }>(client, 'shadow-lock', shadowLockText, [
    projection,
  ]);
  return row?.taken === 't';
}

/** Where this reader stopped; `null` when it never saved. */
export async function readCheckpoint(client: SqlClient, reader: string): Promise<LogPlace | null> {
  const [row] = await queryText<CheckpointRow>(client, 'checkpoint-read', readText, [reader]);
  if (row === undefined) return null;
  return { generation: Number(row.generation), xid: BigInt(row.xid), position: BigInt(row.position) };
}

export async function saveCheckpoint(client: SqlClient, reader: string, place: LogPlace): Promise<void> {
  const values = [reader, place.generation, String(place.xid), String(place.position)];
  await queryText(client, 'checkpoint-save', saveText, values);
}

/** Forgets where this reader stopped; it will begin at the beginning. */
export async function deleteCheckpoint(client: SqlClient, reader: string): Promise<void> {
  await queryText(client, 'checkpoint-delete', deleteText, [reader]);
}

/** Gives `to` the checkpoint of `from`: the last step of a rebuild under a name of its own, in the swap's transaction. */
export async function moveCheckpoint(client: SqlClient, from: string, to: string): Promise<void> {
  await deleteCheckpoint(client, to);
  await queryText(client, 'checkpoint-move', moveText, [from, to]);
}

/**
 * Makes this transaction the only one that works for `reader`, until it ends; false when another one is. Takes no
 * transaction id, so that a reader that does not write yet holds back nobody.
 */
export async function takeReaderLock(client: SqlClient, reader: string): Promise<boolean> {
  const [row] = await queryText<{ readonly taken: 't' | 'f' }>(client, 'checkpoint-lock', lockText, [reader]);
  return row?.taken === 't';
}
