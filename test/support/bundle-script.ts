import { build } from 'esbuild';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const inProject = join(root, 'dist', '.test');
const libs = ['agents', 'platform', 'policy', 'transcripts'];

/** A TypeScript file made into a script that a plain `node` can run. */
export interface BundledScript {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Makes a script of a TypeScript entry (absolute path) for tests that need a process of their own, from the
 * sources as they are. The script lies inside the project, where packages are found, or in the folder of a `shelf`:
 * then it carries its packages, for users who cannot enter the project.
 */
export async function bundleScript(entry: string, shelf = inProject): Promise<BundledScript> {
  await mkdir(shelf, { recursive: true });
  const folder = await mkdtemp(join(shelf, 'script-'));
  // Some tests run the script as another user.
  await chmod(folder, 0o755);
  const path = join(folder, `${basename(entry, '.ts')}.cjs`);
  await build({
    entryPoints: [entry],
    outfile: path,
    bundle: true,
    packages: shelf === inProject ? 'external' : 'bundle',
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
    define: { 'import.meta.dirname': '__dirname' },
    alias: Object.fromEntries(libs.map((lib) => [`#${lib}`, join(root, 'libs', lib, 'src', 'index.ts')])),
  });
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}
