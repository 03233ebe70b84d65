import type { Pool } from 'pg';
import type { AppendResult } from '../transcript-store.js';
import {
  canGoStraight,
  fencedStatement,
  straightStatement,
  type PreparedAppend,
} from './append-statement.js';
import { retryTransient } from './retry-transient.js';
import { settleLosers } from './settle-losers.js';
import { queryText } from './sql-client.js';

const uniqueViolation = '23505';

/**
 * Records a batch in one statement, which is one transaction. Sent again after a deadlock or a lost connection: what an
 * earlier try did record is recognised by its hash. Answers one result an append, in order.
 */
export function appendBatch(pool: Pool, batch: readonly PreparedAppend[]): Promise<readonly AppendResult[]> {
  return retryTransient(async () => {
    const settled = await settleLosers(pool, await record(pool, batch));
    return batch.map(
      (prepared): AppendResult => settled.get(prepared) ?? { ok: true, head: prepared.append.head },
    );
  });
}

/** Answers the appends of which it is not known that they were recorded. */
async function record(pool: Pool, batch: readonly PreparedAppend[]): Promise<readonly PreparedAppend[]> {
  if (canGoStraight(batch)) {
    const recorded = await recordStraight(pool, batch);
    if (recorded === eventsOf(batch)) return [];
    if (recorded !== null) return batch;
  }
  const { name = '', text, values = [] } = fencedStatement(batch);
  const rows = await queryText<{ readonly stream: string }>(pool, name, text, values);
  const winners = new Set(rows.map((row) => row.stream));
  return batch.filter(({ append }) => !winners.has(append.stream));
}

/** How many events were recorded; `null`, and nothing was, when another transaction was faster on one of the streams. */
async function recordStraight(pool: Pool, batch: readonly PreparedAppend[]): Promise<number | null> {
  try {
    return (await pool.query(straightStatement(batch))).rowCount;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === uniqueViolation) return null;
    throw error;
  }
}

function eventsOf(batch: readonly PreparedAppend[]): number {
  return batch.reduce((sum, { append }) => sum + append.events.length, 0);
}
