import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { asFileProblem, type FileProblem, refused, systemCode } from './file-problem.js';

/** Where a path really leads: `real` exists inside the real root; `missing` are the names below it that do not exist yet. */
export interface LocatedPath {
  readonly ok: true;
  readonly root: string;
  readonly real: string;
  readonly missing: readonly string[];
}

/** Says whether an absolute, normalised path is the root or lies under it. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** The path of a file relative to the root, for display; the root itself is `.`. */
export function displayPath(root: string, path: string): string {
  return relative(root, path) || '.';
}

/** Makes a path absolute by its letters alone. It may be written below the root or below the root's real path. */
function resolveLetters(roots: readonly [given: string, real: string], path: string): string | FileProblem {
  if (path.includes('\0')) return refused(path, 'has a NUL character');
  if (path === '') return refused(path, 'is empty: give a path relative to the project root');
  const absolute = resolve(roots[1], path);
  const home = roots.find((root) => isInside(root, absolute));
  if (home === undefined)
    return refused(path, 'is outside the project: only paths inside the project root are accepted');
  return join(roots[1], relative(home, absolute));
}

async function realPathIfAny(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function isDanglingLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Climbs from a path to what exists of it. A link that leads nowhere stops the climb: writing to it would write elsewhere. */
async function climb(root: string, path: string): Promise<LocatedPath | 'dangling'> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const real = await realPathIfAny(at);
    if (real !== undefined) return { ok: true, root, real, missing };
    if (await isDanglingLink(at)) return 'dangling';
    missing.unshift(basename(at));
  }
}

/**
 * Finds where a path of the model leads, links followed, and refuses what ends outside the project root. The
 * answer is true for the moment it was given only: whoever opens the file compares again (`openConfinedFile`,
 * `openConfinedDirectory`). Says the same of a path outside whether or not something is there.
 */
export async function locatePath(projectRoot: string, path: string): Promise<LocatedPath | FileProblem> {
  const root = await realpath(projectRoot);
  const absolute = resolveLetters([resolve(projectRoot), root], path);
  if (typeof absolute !== 'string') return absolute;
  try {
    const located = await climb(root, absolute);
    if (located === 'dangling' || !isInside(root, located.real))
      return refused(
        path,
        'leads outside the project through a link, or nowhere: only paths that end inside the project root are accepted',
      );
    return located;
  } catch (error) {
    return asFileProblem(error, path);
  }
}

/** The same for something that must exist. */
export async function locateExisting(projectRoot: string, path: string): Promise<LocatedPath | FileProblem> {
  const located = await locatePath(projectRoot, path);
  return located.ok && located.missing.length > 0 ? refused(path, 'does not exist') : located;
}
