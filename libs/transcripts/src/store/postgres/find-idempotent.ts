import type { IdempotentOutcome, RecordedClaim } from '../transcript-store.js';
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

const claimsText = `select version, idempotency_key as key, encode(body_hash, 'hex') as body_hash from event
where stream = $1 and version > $2 and version <= $3 and idempotency_key is not null order by version`;

/** The keys that commands claimed on a stream, behind one version and up to another. */
export async function readClaims(
  client: SqlClient,
  stream: string,
  after: number,
  upTo: number,
): Promise<readonly RecordedClaim[]> {
  interface Row {
    readonly version: string;
    readonly key: string;
    readonly body_hash: string;
  }
  const rows = await queryText<Row>(client, 'read-claims', claimsText, [stream, after, upTo]);
  return rows.map(({ version, key, body_hash }) => ({ version: Number(version), key, bodyHash: body_hash }));
}
