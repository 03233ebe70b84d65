import { cp, mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const projectRoot = fileURLToPath(new URL('../../../../../', import.meta.url));
const left = new Set(['node_modules', 'dist', '.git', '.offshoot', 'coverage', 'reports']);

/** A copy of a folder (by default of this project's own sources) for agents to work in: the original is never touched. */
export async function copyWorkspace(folder: string | undefined): Promise<string> {
  const source = resolve(folder ?? projectRoot);
  if (
    !(await stat(source).then(
      (found) => found.isDirectory(),
      () => false,
    ))
  )
    throw new Error(`${source} is not a folder.`);
  const copy = await mkdtemp(join(tmpdir(), 'offshoot-demo-'));
  const workspace = join(copy, 'workspace');
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
