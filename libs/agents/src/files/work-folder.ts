import { realpath, stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { isProtectedPath } from '#policy';

/** A folder that an agent may work in, or why it may not, in words for a person. */
export type WorkFolder =
  { readonly ok: true; readonly folder: string } | { readonly ok: false; readonly problem: string };

/**
 * Finds the folder that an agent works in (spec 02 §1). `workingDir` is relative to the project root, null for the root itself. Links are
 * followed, but never up: the folder lies inside each folder on the way to it, so that a child does not leave that of its parent through a
 * link in it. What lies under a protected name is refused: an agent that is confined to `.git/hooks` would find nothing protected there.
 * Never throws; what cannot be looked at does not exist.
 */
export async function findWorkFolder(projectRoot: string, workingDir: string | null): Promise<WorkFolder> {
  const root = await realFolder(projectRoot);
  if (root === null) return refused(`The project root ${projectRoot} is not a folder here.`);
  if (workingDir === null) return { ok: true, folder: projectRoot };
  const folder = await realFolder(resolve(root, workingDir));
  const named = `The working directory "${workingDir}"`;
  if (folder === null) return refused(`${named} is not a folder in ${projectRoot}.`);
  const left = await folderLeft(root, workingDir, folder);
  if (left !== null) return refused(`${named} leads outside ${left} through a link, or by "..".`);
  if ([workingDir, relative(root, folder)].some(isProtectedPath))
    return refused(`${named} is protected: nobody works there.`);
  return { ok: true, folder };
}

/** The folder on the way to `workingDir` that `folder`, where it really leads, does not lie inside; null where it lies inside them all. */
async function folderLeft(root: string, workingDir: string, folder: string): Promise<string | null> {
  for (const above of foldersAbove(workingDir)) {
    const real = await realFolder(resolve(root, above));
    if (real === null || !isInside(real, folder)) return above === '.' ? 'the project root' : above;
  }
  return null;
}

/** `.`, `a` and `a/b` of `a/b/c`. */
function foldersAbove(workingDir: string): readonly string[] {
  const parts = workingDir.split(sep);
  return ['.', ...parts.slice(1).map((_, index) => parts.slice(0, index + 1).join(sep))];
}

const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const refused = (problem: string): WorkFolder => ({ ok: false, problem });

async function realFolder(path: string): Promise<string | null> {
  try {
    return (await stat(path)).isDirectory() ? await realpath(path) : null;
  } catch {
    return null;
  }
}
