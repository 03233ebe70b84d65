import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { BlobDamagedError } from '../blob-damaged-error.js';
import { storeLimits } from '../store-limits.js';
import { byteaArray } from './binary-array.js';
import { inTransaction } from './in-transaction.js';
import type { RowPayload } from './event-row.js';
import { queryText, type SqlClient } from './sql-client.js';
import type { BlobReference } from '../transcript-store.js';

const chunkBytes = storeLimits.blobPartBytes;

const insertText = 'insert into blob_chunk (hash, chunk, bytes) values ($1, $2, $3) on conflict do nothing';
// Known to be right by its hash: what stands there damaged is mended. Retention leaves alone what was asked for within the hour.
const putText = `insert into blob_chunk (hash, chunk, bytes) values ($1, $2, $3)
on conflict (hash, chunk) do update set bytes = excluded.bytes, saved_at = now()
where blob_chunk.bytes <> excluded.bytes
  or (blob_chunk.chunk = 0 and blob_chunk.saved_at < now() - interval '10 minutes')`;
const partText = 'select bytes from blob_chunk where hash = $1 and chunk = $2';
// A known payload is marked as wanted before its event refers to it.
const knownText = `select saved_at > now() - interval '10 minutes' as is_fresh from blob_chunk where hash = $1 and chunk = 0`;
const wantText = 'update blob_chunk set saved_at = now() where hash = $1 and chunk = 0';
const readText = `select encode(hash, 'hex') as hash, bytes from blob_chunk
where hash = any ($1::bytea[]) order by blob_chunk.hash, chunk`;

/**
 * Stores bytes under their own SHA-256, in chunks, once. Committed before the event that refers to them; when that
 * append loses, they stay behind unreferenced and do no harm.
 */
export async function saveBlob(pool: Pool, bytes: Uint8Array): Promise<BlobReference> {
  const hash = createHash('sha256').update(bytes).digest();
  const reference = { hash: hash.toString('hex'), sizeBytes: bytes.length };
  const known = await pool.query<{ is_fresh: boolean }>(knownText, [hash]);
  if (known.rows[0]?.is_fresh === true) return reference;
  if (known.rows.length > 0 && (await pool.query(wantText, [hash])).rowCount !== 0) return reference;
  await inTransaction(pool, async (client) => {
    for (let start = 0, chunk = 0; start < bytes.length; start += chunkBytes, chunk += 1) {
      await client.query(insertText, [hash, chunk, bytes.subarray(start, start + chunkBytes)]);
    }
  });
  return reference;
}

/** Stores one part of a blob in the transaction of what names it; the caller has checked that all parts hash to `hash`. */
export async function putBlobPart(
  client: SqlClient,
  hash: string,
  part: number,
  bytes: Uint8Array,
): Promise<void> {
  await client.query({
    name: 'put-blob-part',
    text: putText,
    values: [Buffer.from(hash, 'hex'), part, bytes],
  });
}

/** Stores bytes whole in the transaction of what names them. */
export async function putBlob(client: SqlClient, bytes: Uint8Array): Promise<BlobReference> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  for (let start = 0, part = 0; start < bytes.length; start += chunkBytes, part += 1)
    await putBlobPart(client, hash, part, bytes.subarray(start, start + chunkBytes));
  return { hash, sizeBytes: bytes.length };
}

/** The stored parts with this hash, one statement each and unchecked, up to the first that is not there. */
export async function* readBlobParts(client: SqlClient, hash: string): AsyncGenerator<Uint8Array, void> {
  const key = Buffer.from(hash, 'hex');
  for (let part = 0; ; part += 1) {
    const [row] = await queryText<{ readonly bytes: string }>(client, 'read-blob-part', partText, [
      key,
      part,
    ]);
    if (row === undefined) return;
    yield Buffer.from(row.bytes.slice(2), 'hex');
  }
}

/** The payloads with these hashes, each checked against its hash; one that nobody saved is left out. */
export async function readPayloads(
  client: SqlClient,
  hashes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, RowPayload>> {
  const chunks = await readChunks(client, hashes);
  return new Map([...chunks].map(([hash, list]) => [hash, payloadOf(hash, Buffer.concat(list))]));
}

function payloadOf(hash: string, bytes: Buffer): RowPayload {
  return hashOf(bytes) === hash ? { data: bytes.toString('utf8') } : { fault: 'payload_damaged' };
}

/** The bytes with this hash; `null` when nobody saved them. Throws `BlobDamagedError` when they are others by now. */
export async function readBlob(client: SqlClient, hash: string): Promise<Buffer | null> {
  const list = (await readChunks(client, new Set([hash]))).get(hash);
  if (list === undefined) return null;
  const bytes = Buffer.concat(list);
  const found = hashOf(bytes);
  if (found !== hash) throw new BlobDamagedError(hash, found);
  return bytes;
}

async function readChunks(
  client: SqlClient,
  hashes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly Buffer[]>> {
  const chunks = new Map<string, Buffer[]>();
  if (hashes.size === 0) return chunks;
  interface Row {
    readonly hash: string;
    readonly bytes: string;
  }
  for (const row of await queryText<Row>(client, 'read-blobs', readText, [byteaArray([...hashes])])) {
    const list = chunks.get(row.hash) ?? [];
    list.push(Buffer.from(row.bytes.slice(2), 'hex'));
    chunks.set(row.hash, list);
  }
  return chunks;
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
