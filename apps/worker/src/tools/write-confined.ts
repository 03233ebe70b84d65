import { randomBytes } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { anchorOf, openReal } from './confined-handle.js';
import { asFileProblem, type FileProblem, refused, systemCode } from './file-problem.js';
import { type LocatedPath, locatePath } from './locate-path.js';

/** A file that was written whole. */
export interface WrittenFile {
  readonly ok: true;
  readonly root: string;
  readonly real: string;
  readonly isNew: boolean;
}

interface OpenDirectory {
  readonly real: string;
  readonly handle: FileHandle;
}

const NEW_FILE_MODE = 0o666;
const PERMISSION_BITS = 0o777n;

async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** Opens `real` and goes down the missing names, making each inside the directory that is held open. */
async function openParent(real: string, missing: readonly string[]): Promise<OpenDirectory | undefined> {
  const first = await openReal(real, 'directory');
  if (first === undefined) return undefined;
  let at: OpenDirectory = { real, handle: first };
  for (const name of missing) {
    const parent = at;
    const below = join(anchorOf(parent), name);
    try {
      await makeDirectory(below);
      const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
      at = { real: join(parent.real, name), handle: await open(below, flags) };
    } finally {
      await parent.handle.close();
    }
  }
  return at;
}

/** The stats of what is to be replaced, or nothing. */
async function currentStats(path: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isSameVersion(current: BigIntStats | undefined, seen: BigIntStats): boolean {
  if (current?.ino !== seen.ino) return false;
  return current.mtimeNs === seen.mtimeNs && current.size === seen.size;
}

async function writeTemporary(path: string, content: string, mode: number | undefined): Promise<void> {
  const handle = await open(path, 'wx', NEW_FILE_MODE);
  try {
    await handle.writeFile(content);
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function replaceFile(
  parent: OpenDirectory,
  name: string,
  content: string,
  current?: BigIntStats,
): Promise<void> {
  const temporary = join(anchorOf(parent), `.${randomBytes(8).toString('hex')}.tmp`);
  try {
    await writeTemporary(temporary, content, current && Number(current.mode & PERMISSION_BITS));
    await rename(temporary, join(anchorOf(parent), name));
  } catch (error) {
    // The first fault says more than a failed clean-up.
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

async function writeLocated(
  located: LocatedPath,
  path: string,
  content: string,
  seen?: BigIntStats,
): Promise<WrittenFile | FileProblem> {
  const exists = located.missing.length === 0;
  const name = located.missing.at(-1) ?? basename(located.real);
  const parent = await openParent(
    exists ? dirname(located.real) : located.real,
    located.missing.slice(0, -1),
  );
  if (parent === undefined) return refused(path, 'was moved while it was written');
  try {
    const current = await currentStats(join(anchorOf(parent), name));
    if (current !== undefined && !current.isFile()) return refused(path, 'is not a regular file');
    if (seen !== undefined && !isSameVersion(current, seen))
      return refused(path, 'was changed by somebody else meanwhile: read it again');
    await replaceFile(parent, name, content, current);
    return { ok: true, root: located.root, real: join(parent.real, name), isNew: current === undefined };
  } finally {
    await parent.handle.close();
  }
}

/**
 * Writes a whole file inside the root, atomically: readers see the old content or the new, a crash leaves one
 * of them. Missing parents are made, the permissions of a replaced file are kept, and a link that ends inside
 * the root is written through. With `seen`, a file that is not that version any more is left alone.
 */
export async function writeConfined(
  projectRoot: string,
  path: string,
  content: string,
  seen?: BigIntStats,
): Promise<WrittenFile | FileProblem> {
  const located = await locatePath(projectRoot, path);
  if (!located.ok) return located;
  if (located.real === located.root && located.missing.length === 0) return refused(path, 'is a directory');
  try {
    return await writeLocated(located, path, content, seen);
  } catch (error) {
    return asFileProblem(error, path);
  }
}
