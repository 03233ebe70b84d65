import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
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
 * followed only where it ends inside the folder. Where the opened file lies is asked of the handle, not found out by walking
 * the path again, so that no swap of a file or a folder can show another one. At most `maxBytes + 1` bytes are read.
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
    const fault = await placeFault(handle, path, { within, folder });
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
  if (!(await handle.stat()).isFile()) return 'not_a_file';
  const realFolder = await realpath(folder);
  if (within !== null && !isWithin(await realpath(within), realFolder)) return 'outside';
  const opened = process.platform === 'linux' ? await placeOf(handle) : await placeByPath(handle, path);
  if (opened === 'unknown') return 'unreadable';
  return opened !== null && isInside(realFolder, opened) ? null : 'outside';
}

const isWithin = (folder: string, path: string): boolean => path === folder || isInside(folder, path);

const isInside = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/**
 * The path of the opened file as the kernel has it, free of links. A path that is resolved a second time may meet another
 * folder: one that becomes a link only for the open and the last look passes every comparison of paths and inodes.
 */
async function placeOf(handle: FileHandle): Promise<string> {
  // A file replaced since the open keeps its path, with a word behind it. It was inside, and it is whole.
  return readlink(`/proc/self/fd/${handle.fd}`).catch(() => 'unknown');
}

/** The next best where no handle tells its path: the file at the real path is the opened one, and that path holds still. */
async function placeByPath(handle: FileHandle, path: string): Promise<string | null> {
  const opened = await handle.stat({ bigint: true });
  const realFile = await realpath(path);
  const found = await stat(realFile, { bigint: true });
  const isSame = found.dev === opened.dev && found.ino === opened.ino;
  return isSame && (await realpath(realFile)) === realFile ? realFile : null;
}

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
  // By its code alone: an error of the file system may come from another realm, where `instanceof` fails.
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
  return code === 'EISDIR' || code === 'ENXIO' ? 'not_a_file' : 'unreadable';
}
