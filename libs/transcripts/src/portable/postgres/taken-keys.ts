import { textArray } from '../../store/postgres/binary-array.js';
import { queryText, type SqlClient } from '../../store/postgres/sql-client.js';
import type { FileEvent } from '../tree-records.js';

const text = `select k.n from unnest($1::text[], $2::text[]) with ordinality k(tenant, key, n)
where exists (select 1 from event e where e.tenant = k.tenant and e.idempotency_key = k.key)`;

/** Events whose key another command of their tenant has claimed in this log: a command that is sent again gets the outcome that is here. */
export async function takenKeys(
  client: SqlClient,
  events: readonly FileEvent[],
): Promise<ReadonlySet<FileEvent>> {
  const claiming = events.filter(({ claim }) => claim !== null);
  if (claiming.length === 0) return new Set();
  const rows = await queryText<{ readonly n: string }>(client, 'taken-keys', text, [
    textArray(claiming.map(({ event }) => event.tenant)),
    textArray(claiming.map(({ claim }) => claim?.key ?? null)),
  ]);
  return new Set(rows.flatMap(({ n }) => claiming[Number(n) - 1] ?? []));
}
