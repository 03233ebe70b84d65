import type { AppendResult } from '../transcript-store.js';
import type { PreparedAppend } from './append-statement.js';
import { byteaArray, intArray, textArray, uuidArray } from './binary-array.js';
import { findIdempotent } from './find-idempotent.js';
import { queryText, type SqlClient } from './sql-client.js';

const text = `select l.stream, coalesce((select max(e.version) from event e where e.stream = l.stream), 0) as version,
  exists (select 1 from event e where e.stream = l.stream and e.version = l.first and e.hash = l.hash) as mine,
  (select r.stream from unnest(l.requires::uuid[]) r(stream)
    where not exists (select 1 from event e where e.stream = r.stream and e.version = 1) limit 1) as missing
from unnest($1::uuid[], $2::int[], $3::bytea[], $4::text[]) l(stream, first, hash, requires)`;

interface LoserRow {
  readonly stream: string;
  readonly version: string;
  readonly mine: 't' | 'f';
  readonly missing: string | null;
}

/**
 * Says why appends did not win, in a statement of its own so that it sees what they lost to. An append that is there
 * already, hash for hash, was recorded by an earlier try whose answer was lost with its connection: it won.
 */
export async function settleLosers(
  client: SqlClient,
  losers: readonly PreparedAppend[],
): Promise<ReadonlyMap<PreparedAppend, AppendResult>> {
  if (losers.length === 0) return new Map();
  const rows = await queryText<LoserRow>(client, 'settle-losers', text, [
    uuidArray(losers.map(({ append }) => append.stream)),
    intArray(losers.map(({ append }) => append.events[0].version)),
    byteaArray(losers.map(({ append }) => append.events[0].hash)),
    textArray(losers.map(({ append }) => `{${append.requires.join(',')}}`)),
  ]);
  const byStream = new Map(rows.map((row) => [row.stream, row]));
  const results = new Map<PreparedAppend, AppendResult>();
  for (const loser of losers)
    results.set(loser, await settle(client, loser, byStream.get(loser.append.stream)));
  return results;
}

async function settle(
  client: SqlClient,
  { append }: PreparedAppend,
  row: LoserRow | undefined,
): Promise<AppendResult> {
  if (row?.mine === 't') return { ok: true, head: append.head };
  const claim = append.idempotency;
  const outcome = claim === null ? null : await findIdempotent(client, append.context.tenant, claim.key);
  if (outcome !== null) return { ok: false, reason: 'duplicate', outcome };
  return lossOf(row ?? { missing: null, version: '0' });
}

const lossOf = ({ missing, version }: Pick<LoserRow, 'missing' | 'version'>): AppendResult =>
  missing === null
    ? { ok: false, reason: 'conflict', version: Number(version) }
    : { ok: false, reason: 'missing', stream: missing };
