import type { FileHandle } from 'node:fs/promises';

const CHUNK_BYTES = 65_536;

/** Says whether bytes are no text: text has no NUL in it. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.includes(0);
}

/** The bytes of an open file, a chunk at a time, until the signal says stop. */
export async function* readChunks(handle: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
