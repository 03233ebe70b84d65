import { cp, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../policy/usage-error.js';

const projectRoot = fileURLToPath(new URL('../../../../../', import.meta.url));
const left = new Set(['node_modules', 'dist', '.git', '.offshoot', 'coverage', 'reports']);

/** Copies a folder (by default this project's own sources) into another for agents to work in. Throws `UsageError` for what is no folder. */
export async function copyWorkspace(folder: string | undefined, into: string): Promise<string> {
  const source = resolve(folder ?? projectRoot);
  if (
    !(await stat(source).then(
      (found) => found.isDirectory(),
      () => false,
    ))
  )
    throw new UsageError(`--workspace ${source} is not a folder.`);
  const workspace = join(into, 'workspace');
  await cp(source, workspace, {
    recursive: true,
    filter: (path) => !left.has(basename(path)) || path === source,
  });
  return workspace;
}

/** The lines of a file of the workspace; none when it does not exist. */
export async function linesOf(workspace: string, name: string): Promise<readonly string[]> {
  const text = await readFile(join(workspace, name), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}
