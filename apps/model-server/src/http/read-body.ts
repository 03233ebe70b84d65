import type { IncomingMessage } from 'node:http';

/** The whole body, or null when it is longer than `maxBytes`; rejects when the client goes away. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and dropped, so that the client gets its answer instead of a broken pipe.
      if (size <= maxBytes) chunks.push(chunk);
    });
    request.once('end', () => resolve(size > maxBytes ? null : Buffer.concat(chunks)));
    request.once('error', reject);
  });
}
