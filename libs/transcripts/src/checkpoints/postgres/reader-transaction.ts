import pg, { type PoolClient, type QueryResult } from 'pg';
import type { LogPlace } from '../../events/recorded-event.js';
import { lockText, readText, saveText } from './checkpoints.js';

/** What a reader finds at the beginning of its transaction. */
interface BegunReading {
  /** False when another transaction works for this reader. */
  readonly isAlone: boolean;
  /** Where it stopped, as of now that it is alone; null at the beginning of the log. */
  readonly place: LogPlace | null;
}

interface PlaceRow {
  readonly generation: number;
  readonly xid: string;
  readonly position: string;
}

/**
 * Begins a transaction that alone works for `reader`, until it ends. Several statements in one round trip, each of which
 * sees what was committed before it: the checkpoint is read under the lock.
 */
export async function beginReading(client: PoolClient, reader: string): Promise<BegunReading> {
  const statements = ['begin', 'set local synchronous_commit = off', lockText, readText];
  const results = await many(client, statements, [reader]);
  const [{ taken } = { taken: false }] = (results[2]?.rows ?? []) as { taken: boolean }[];
  const [row] = (results[3]?.rows ?? []) as PlaceRow[];
  return { isAlone: taken, place: row === undefined ? null : placeOf(row) };
}

/** Saves where the reader stopped and commits. */
export async function endReading(client: PoolClient, reader: string, place: LogPlace): Promise<void> {
  const values = [reader, String(place.generation), String(place.xid), String(place.position)];
  await many(client, [saveText, 'commit'], values);
}

// Only the simple protocol takes several statements at once, and it takes no parameters.
async function many(
  client: PoolClient,
  statements: readonly string[],
  values: readonly string[],
): Promise<readonly QueryResult[]> {
  const text = statements.join(';\n').replaceAll(/\$(\d)/g, (_, index: string) => literal(values, index));
  return (await client.query(text)) as unknown as readonly QueryResult[];
}

function literal(values: readonly string[], index: string): string {
  return pg.escapeLiteral(values[Number(index) - 1] ?? '');
}

function placeOf({ generation, xid, position }: PlaceRow): LogPlace {
  return { generation, xid: BigInt(xid), position: BigInt(position) };
}
