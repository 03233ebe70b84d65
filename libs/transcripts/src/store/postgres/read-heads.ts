import { queryText, type SqlClient } from './sql-client.js';

// One index lookup a stream, however long the streams are.
const text = `select wanted.stream, head.version from unnest($1::uuid[]) wanted(stream)
  cross join lateral (select version from event where event.stream = wanted.stream order by version desc limit 1) head`;

/** The version each of these streams stands at; a stream that does not exist is left out. */
export async function readHeads(
  client: SqlClient,
  streams: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await queryText<{ readonly stream: string; readonly version: string }>(
    client,
    'read-heads',
    text,
    [streams],
  );
  return new Map(rows.map(({ stream, version }) => [stream, Number(version)]));
}
