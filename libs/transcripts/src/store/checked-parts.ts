import { createHash } from 'node:crypto';
import { BlobDamagedError } from './blob-damaged-error.js';

/**
 * Passes the parts of a blob on, the last one only when all of them hash to `hash`: whoever has the last part has the blob. Throws
 * `BlobDamagedError` in its place.
 */
export async function* checkedParts(
  parts: AsyncIterable<Uint8Array>,
  hash: string,
): AsyncGenerator<Uint8Array, void> {
  const sum = createHash('sha256');
  let last: Uint8Array | null = null;
  for await (const part of parts) {
    if (last !== null) yield last;
    sum.update(part);
    last = part;
  }
  if (last === null) return;
  const found = sum.digest('hex');
  if (found !== hash) throw new BlobDamagedError(hash, found);
  yield last;
}
