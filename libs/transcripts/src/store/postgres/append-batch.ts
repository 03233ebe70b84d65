import type { Pool } from 'pg';
import type { AppendResult } from '../transcript-store.js';
import { appendStatement, type PreparedAppend } from './append-statement.js';
import { retryTransient } from './retry-transient.js';
import { settleLosers } from './settle-losers.js';
import { queryText } from './sql-client.js';

/**
 * Records a batch in one statement, which is one transaction. Sent again after a deadlock or a lost connection: what an
 * earlier try did record is recognised by its hash. Answers one result an append, in order.
 */
export function appendBatch(pool: Pool, batch: readonly PreparedAppend[]): Promise<readonly AppendResult[]> {
  const { name = '', text, values = [] } = appendStatement(batch);
  return retryTransient(async () => {
    const rows = await queryText<{ readonly stream: string }>(pool, name, text, values);
    const winners = new Set(rows.map((row) => row.stream));
    const losers = batch.filter(({ append }) => !winners.has(append.stream));
    const settled = await settleLosers(pool, losers);
    return batch.map(
      (prepared): AppendResult => settled.get(prepared) ?? { ok: true, head: prepared.append.head },
    );
  });
}
