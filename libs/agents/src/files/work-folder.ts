import { realpath, stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { isProtectedPath } from '#policy';

/** A folder that an agent may work in, or why it may not, in words for a person. */
export type WorkFolder =
  { readonly ok: true; readonly folder: string } | { readonly ok: false; readonly problem: string };

/**
 * Finds the folder that an agent works in (spec 02 §1). `workingDir` is relative to the project root, null for the root itself. Links are
 * followed, and what then lies outside the root or under a protected name is refused: an agent that is confined to `.git/hooks` would find
 * nothing protected there. Never throws; what cannot be looked at does not exist.
 */
export async function findWorkFolder(projectRoot: string, workingDir: string | null): Promise<WorkFolder> {
  const root = await realFolder(projectRoot);
  if (root === null) return refused(`The project root ${projectRoot} is not a folder here.`);
  if (workingDir === null) return { ok: true, folder: projectRoot };
  const folder = await realFolder(resolve(root, workingDir));
  const named = `The working directory "${workingDir}"`;
  if (folder === null) return refused(`${named} is not a folder in ${projectRoot}.`);
  if (folder !== root && !folder.startsWith(root.endsWith(sep) ? root : root + sep))
    return refused(`${named} leads outside the project root ${projectRoot}.`);
  if ([workingDir, relative(root, folder)].some(isProtectedPath))
    return refused(`${named} is protected: nobody works there.`);
  return { ok: true, folder };
}

const refused = (problem: string): WorkFolder => ({ ok: false, problem });

async function realFolder(path: string): Promise<string | null> {
  try {
    return (await stat(path)).isDirectory() ? await realpath(path) : null;
  } catch {
    return null;
  }
}
