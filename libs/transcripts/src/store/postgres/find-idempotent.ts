import type { IdempotentOutcome } from '../transcript-store.js';
import { queryText, type SqlClient } from './sql-client.js';

const text = `select stream, version, encode(body_hash, 'hex') as body_hash from event
where tenant = $1 and idempotency_key = $2`;

/** What an earlier command recorded under this key of this tenant, or `null`. */
export async function findIdempotent(
  client: SqlClient,
  tenant: string,
  key: string,
): Promise<IdempotentOutcome | null> {
  interface Row {
    readonly stream: string;
    readonly version: string;
    readonly body_hash: string;
  }
  const [row] = await queryText<Row>(client, 'find-idempotent', text, [tenant, key]);
  return row === undefined
    ? null
    : { stream: row.stream, version: Number(row.version), bodyHash: row.body_hash };
}
