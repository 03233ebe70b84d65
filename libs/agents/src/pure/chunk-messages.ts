import type { Message } from '#transcripts';

/** Size up to which messages share one event; a single larger message gets an event of its own. */
const chunkBytes = 256 * 1024;

/** Cuts a history into runs of messages, each small enough for one event. Order and content are kept. */
export function chunkMessages(messages: readonly Message[]): readonly (readonly Message[])[] {
  const chunks: Message[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    const size = Buffer.byteLength(JSON.stringify(message));
    if (bytes + size > chunkBytes) {
      chunks.push([]);
      bytes = 0;
    }
    bytes += size;
    chunks.at(-1)?.push(message);
  }
  return chunks;
}
