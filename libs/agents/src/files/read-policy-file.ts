import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Why a file was not read. Never holds a byte of any file. */
export type FileFault = 'missing' | 'not_a_file' | 'outside' | 'too_large' | 'unreadable';

export type PolicyFile =
  { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly fault: FileFault };

export interface PolicyFolder {
  /** The folder must lie in here, by real paths; null for a folder that is trusted as it is. */
  readonly within: string | null;
  readonly folder: string;
}

/**
 * Reads one regular file of a policy folder (spec 02 §4): opened once, and everything is judged on what was opened. A link is
 * followed only where it ends inside the folder; a swap between the open and the check is seen, because the opened file
 * and the file at its real path must be one and the same. At most `maxBytes + 1` bytes are read.
 */
export async function readPolicyFile(
  { within, folder }: PolicyFolder,
  fileName: string,
  maxBytes: number,
): Promise<PolicyFile> {
  const path = join(folder, fileName);
  // A FIFO without a writer would otherwise hold the open for ever.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) =>
    faultOf(error),
  );
  if (typeof handle === 'string') return { ok: false, fault: handle };
  try {
    const fault = (await placeFault(handle, path, { within, folder })) ?? null;
    return fault === null ? await readBounded(handle, maxBytes) : { ok: false, fault };
  } catch (error) {
    return { ok: false, fault: faultOf(error) };
  } finally {
    await handle.close();
  }
}

async function placeFault(
  handle: FileHandle,
  path: string,
  { within, folder }: PolicyFolder,
): Promise<FileFault | null> {
  const opened = await handle.stat({ bigint: true });
  if (!opened.isFile()) return 'not_a_file';
  const [realFolder, realFile] = await Promise.all([realpath(folder), realpath(path)]);
  if (within !== null && !isInside(await realpath(within), realFolder)) return 'outside';
  if (!isInside(realFolder, realFile)) return 'outside';
  const found = await stat(realFile, { bigint: true });
  return found.dev === opened.dev && found.ino === opened.ino ? null : 'outside';
}

const isInside = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

async function readBounded(handle: FileHandle, maxBytes: number): Promise<PolicyFile> {
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length > maxBytes
    ? { ok: false, fault: 'too_large' }
    : { ok: true, bytes: buffer.subarray(0, length) };
}

function faultOf(error: unknown): FileFault {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
  return code === 'EISDIR' || code === 'ENXIO' ? 'not_a_file' : 'unreadable';
}
