import { BlobDamagedError } from './blob-damaged-error.js';
import type { TranscriptStore } from './transcript-store.js';

/** What is stored under a hash: all of it in so many parts, nothing, or something else. */
export type BlobCheck =
  | { readonly kind: 'whole'; readonly parts: number; readonly sizeBytes: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged' };

/** Reads a blob once, a part at a time, and says whether it is there as it was stored. Throws what the store throws. */
export async function checkBlob(store: TranscriptStore, hash: string): Promise<BlobCheck> {
  let [parts, sizeBytes] = [0, 0];
  try {
    for await (const part of store.readBlobParts(hash)) {
      parts += 1;
      sizeBytes += part.length;
    }
  } catch (thrown) {
    if (thrown instanceof BlobDamagedError) return { kind: 'damaged' };
    throw thrown;
  }
  return parts === 0 ? { kind: 'missing' } : { kind: 'whole', parts, sizeBytes };
}
