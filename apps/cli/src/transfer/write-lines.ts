import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Writes lines as fast as they are taken and not faster; answers what their source answers. Throws what the stream fails with. */
export async function writeLines<Result>(
  lines: AsyncGenerator<string, Result>,
  stream: Writable,
): Promise<Result> {
  for (;;) {
    const next = await lines.next();
    if (next.done === true) return next.value;
    if (!stream.write(next.value)) await once(stream, 'drain');
  }
}
