import { checkBlob, type PortableRecord, type TranscriptStore } from '#transcripts';

/**
 * The records of a blob, a part at a time. Read twice, so that a blob of which a part is wrong is said to be lost instead of being begun.
 * Answers whether it is there.
 */
export async function* blobRecords(
  store: TranscriptStore,
  hash: string,
): AsyncGenerator<PortableRecord, boolean> {
  const check = await checkBlob(store, hash);
  if (check.kind !== 'whole') {
    yield { record: 'lost_blob', hash, fault: check.kind };
    return false;
  }
  const { parts } = check;
  let part = 0;
  for await (const bytes of store.readBlobParts(hash)) {
    yield { record: 'blob', hash, part, parts, bytes: Buffer.from(bytes).toString('base64') };
    part += 1;
  }
  return true;
}
