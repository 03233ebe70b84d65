import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedRequest } from './request-log.js';

/** Writes a request somewhere; resolves when it is there. */
export type Recorder = (request: RecordedRequest) => Promise<void>;

/**
 * Writes the raw body of each request to `<n>.body` in a directory, which is made when it is missing; at most
 * `maxFiles` are kept. Rejects when the disk does.
 */
export async function recordToDisk(directory: string, maxFiles: number): Promise<Recorder> {
  await mkdir(directory, { recursive: true });
  const fileOf = (n: number) => join(directory, `${String(n).padStart(6, '0')}.body`);
  return async ({ n, body }) => {
    await writeFile(fileOf(n), body);
    if (n > maxFiles) await rm(fileOf(n - maxFiles), { force: true });
  };
}
