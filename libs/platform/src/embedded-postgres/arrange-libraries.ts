import { mkdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import * as z from 'zod';
import { errorCode } from '../errors/error-code.js';

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Makes the shared libraries reachable under the names the programs ask for. npm packages cannot hold
 * symbolic links, so the platform package lists them in `pg-symlinks.json` and makes them in an install
 * script, which many installations do not run. The links are made in the package itself, or, where that is
 * read-only, in `spareDir` (absolute). Answers the variables that the programs must be started with.
 */
export async function arrangeLibraries(
  packageDir: string,
  spareDir: string,
): Promise<Record<string, string>> {
  const missing = await missingLinks(packageDir);
  if (missing.length === 0) return {};
  try {
    for (const link of missing) await placeLink(relative(dirname(link.target), link.source), link.target);
    return {};
  } catch {
    await mkdir(spareDir, { recursive: true });
    for (const link of missing) await placeLink(link.source, join(spareDir, basename(link.target)));
    return searchPath([spareDir, join(packageDir, 'native', 'lib')]);
  }
}

interface Link {
  readonly source: string;
  readonly target: string;
}

async function missingLinks(packageDir: string): Promise<readonly Link[]> {
  const listed = await readLinks(packageDir);
  const missing: Link[] = [];
  for (const link of listed) {
    const found = await readlink(link.target).catch((error: unknown) => (isAbsent(error) ? undefined : ''));
    if (found === undefined) missing.push(link);
  }
  return missing;
}

async function readLinks(packageDir: string): Promise<readonly Link[]> {
  const text = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(
    (error: unknown) => {
      if (isAbsent(error)) return '[]';
      throw error;
    },
  );
  return links
    .parse(JSON.parse(text))
    .map(({ source, target }) => ({ source: join(packageDir, source), target: join(packageDir, target) }));
}

/** Two starts at once may place the same link; the rename lets the later one win without a gap. */
async function placeLink(source: string, target: string): Promise<void> {
  const draft = `${target}.${process.pid}`;
  await rm(draft, { force: true });
  await symlink(source, draft);
  await rename(draft, target);
}

function searchPath(folders: readonly string[]): Record<string, string> {
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return { [variable]: folders.join(':') };
}

function isAbsent(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}
