import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { asFileProblem, type FileProblem, refused } from './file-problem.js';
import { locateExisting } from './locate-path.js';

/** An open file or directory that was inside the root when it was opened. Whoever gets it closes it. */
export interface ConfinedHandle {
  readonly ok: true;
  readonly root: string;
  readonly real: string;
  readonly handle: FileHandle;
}

// NONBLOCK: opening a FIFO must not wait for a writer. NOFOLLOW: the real path has no link in it, unless one was just put there.
const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const DIRECTORY_FLAGS = FILE_FLAGS | constants.O_DIRECTORY;

/** Says whether a real path still is what it was, and still names the thing that was opened. */
async function stillNames(real: string, handle: FileHandle): Promise<boolean> {
  if ((await realpath(real)) !== real) return false;
  const [named, opened] = await Promise.all([stat(real, { bigint: true }), handle.stat({ bigint: true })]);
  return named.dev === opened.dev && named.ino === opened.ino;
}

/** Opens a real path and compares after opening, so that a link swapped in between is noticed. Throws system errors. */
export async function openReal(real: string, kind: 'file' | 'directory'): Promise<FileHandle | undefined> {
  const handle = await open(real, kind === 'file' ? FILE_FLAGS : DIRECTORY_FLAGS);
  try {
    if (await stillNames(real, handle)) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

function findWrongKind(stats: Stats, kind: 'file' | 'directory'): string | undefined {
  if (kind === 'directory') return stats.isDirectory() ? undefined : 'is not a directory';
  if (stats.isDirectory()) return 'is a directory: list_directory lists it';
  return stats.isFile() ? undefined : 'is not a regular file';
}

async function openLocated(
  projectRoot: string,
  path: string,
  kind: 'file' | 'directory',
): Promise<ConfinedHandle | FileProblem> {
  const located = await locateExisting(projectRoot, path);
  if (!located.ok) return located;
  try {
    const wrongKind = findWrongKind(await stat(located.real), kind);
    if (wrongKind !== undefined) return refused(path, wrongKind);
    const handle = await openReal(located.real, kind);
    if (handle === undefined) return refused(path, 'was moved while it was opened');
    return { ok: true, root: located.root, real: located.real, handle };
  } catch (error) {
    return asFileProblem(error, path);
  }
}

/** Opens a regular file inside the root for reading; devices, FIFOs and sockets are never opened. */
export async function openConfinedFile(
  projectRoot: string,
  path: string,
): Promise<ConfinedHandle | FileProblem> {
  return openLocated(projectRoot, path, 'file');
}

/** Opens a directory inside the root. */
export async function openConfinedDirectory(
  projectRoot: string,
  path: string,
): Promise<ConfinedHandle | FileProblem> {
  return openLocated(projectRoot, path, 'directory');
}

/** A path that leads through the open directory itself, so that moving it or its parents redirects nothing; elsewhere than on Linux, its name. */
export function anchorOf(directory: { readonly real: string; readonly handle: FileHandle }): string {
  return process.platform === 'linux' ? `/proc/self/fd/${directory.handle.fd}` : directory.real;
}
