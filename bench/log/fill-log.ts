import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { newId } from '#platform';
import { openPostgresLog, verifyStream } from '#transcripts';
import { context, type OpenStream, payload, type } from './appenders.js';

const perStream = 500;
const streamsOfBatch = 200;
/** What a row of the fill takes with its indexes, and as much again for the server's write-ahead log in the worst case. */
const bytesOfRow = 1_200;
const spareBytes = 4 * 1024 ** 3;

/** Throws a sentence for people when the folder of the databases has not the room for so many events. */
export async function checkRoom(rows: number): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  const refusal = roomRefusal(rows, bavail * bsize);
  if (refusal !== null) throw new Error(`${refusal} Set TMPDIR to a folder with more, or give fewer --rows.`);
}

/** Why a fill of so many events is not begun with so much free space; null when there is enough. */
export function roomRefusal(rows: number, freeBytes: number): string | null {
  const needed = rows * bytesOfRow + spareBytes;
  if (freeBytes >= needed) return null;
  const gigabytes = (bytes: number): string => (bytes / 1024 ** 3).toFixed(1);
  return `${rows} stored events take up to ${gigabytes(needed)} GB while they are written, and ${gigabytes(freeBytes)} GB are free in ${tmpdir()}.`;
}

/**
 * Streams of 500 events each, written and chained by the server itself: the same rows as real appends would leave, with
 * the seals that `chainHash` makes, in the order in which many agents at work at once would have written them.
 */
const fillText = `
  with recursive line (stream, version, id, hash) as (
    select stream, 0, null::uuid, null::bytea from unnest($1::uuid[]) stream
    union all
    select line.stream, line.version + 1, next.id, sha256(convert_to(
      '["offshoot-chain-1",' || coalesce('"' || encode(line.hash, 'hex') || '"', 'null') || ',"' || line.stream || '",'
      || (line.version + 1) || ',"' || next.id || '",' || $2 || e',null,null,null]\\n' || $3, 'UTF8'))
    from line cross join lateral (select md5(line.stream::text || line.version)::uuid as id) next
    where line.version < $4)
  insert into event (generation, stream, version, id, type, schema, actor, tenant, data, hash)
  select (select max(generation) from log_generation), stream, version, id, $5, 1, $6, $7, $3, hash from line where version > 0`;

/** Fills the log of `url` with so many events, rounded up to whole streams, and answers where these stand. Throws when a seal is not that of the store. */
export async function fillLog(url: string, rows: number): Promise<readonly OpenStream[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set synchronous_commit = off');
    const streams = Math.ceil(rows / perStream);
    const ids = Array.from({ length: streams }, () => newId());
    const envelope = JSON.stringify([type, 1, context.actor, context.tenant]).slice(1, -1);
    for (let first = 0; first < streams; first += streamsOfBatch) {
      const batch = ids.slice(first, first + streamsOfBatch);
      await client.query(fillText, [
        batch,
        envelope,
        payload,
        perStream,
        type,
        context.actor,
        context.tenant,
      ]);
      if (first % 2_000 === 0)
        console.error(`${first * perStream} of ${streams * perStream} events are stored …`);
    }
    // What a server in service has done long before: its own tidying must not run in the measured minutes.
    await client.query('vacuum analyze event');
    await client.query('checkpoint');
    await checkSeals(url, ids[0] ?? '');
    return await headsOf(client);
  } finally {
    await client.end();
  }
}

async function checkSeals(url: string, stream: string): Promise<void> {
  const log = await openPostgresLog({ url });
  try {
    const verdict = await verifyStream(log.store, stream);
    if (!verdict.ok || verdict.head.version !== perStream)
      throw new Error(`The fill wrote what no append would: ${JSON.stringify(verdict)}.`);
  } finally {
    await log.close();
  }
}

async function headsOf(client: pg.Client): Promise<readonly OpenStream[]> {
  const { rows } = await client.query<{ stream: string; hash: string }>(
    `select stream, encode(hash, 'hex') as hash from event where version = $1 order by md5(stream::text)`,
    [perStream],
  );
  return rows.map(({ stream, hash }) => ({ stream, head: { version: perStream, hash } }));
}
