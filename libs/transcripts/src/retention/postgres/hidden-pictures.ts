import { namedBlobs } from '../../events/named-blobs.js';
import { byteaArray, uuidArray } from '../../store/postgres/binary-array.js';
import { readPayloads } from '../../store/postgres/blobs.js';
import { queryText, type SqlClient } from '../../store/postgres/sql-client.js';

// Few events have a payload beside the log, and an index holds no others.
const everyText = `select distinct encode(blob, 'hex') as hash from event where blob is not null and type = 'ToolCallFinished'`;
const ofText = `select distinct encode(blob, 'hex') as hash from event
where stream = any($1::uuid[]) and blob is not null and type = 'ToolCallFinished'`;

/** Pictures that are named by results which are so large that they are payloads themselves, where no statement can look for them. */
export async function hiddenPictures(
  client: SqlClient,
  streams: readonly string[] | null,
): Promise<ReadonlySet<string>> {
  const rows =
    streams === null
      ? await queryText<{ readonly hash: string }>(client, 'large-results', everyText, [])
      : await queryText<{ readonly hash: string }>(client, 'large-results-of', ofText, [uuidArray(streams)]);
  const pictures = new Set<string>();
  for (const { hash } of rows)
    for (const payload of (await readPayloads(client, new Set([hash]))).values())
      for (const picture of namedBlobs({ type: 'ToolCallFinished', ...payload })) pictures.add(picture);
  return pictures;
}

const noteText = 'insert into blob_leftover (hash) select unnest($1::bytea[]) on conflict do nothing';

/** Notes hashes for `sweepBlobs`. */
export async function noteLeftovers(client: SqlClient, hashes: ReadonlySet<string>): Promise<void> {
  if (hashes.size > 0) await queryText(client, 'note-leftovers', noteText, [byteaArray([...hashes])]);
}
