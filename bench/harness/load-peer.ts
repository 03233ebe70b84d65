import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

// Compiled files lie in dist/bench/harness; the peers lie in the project, in a package of their own.
const folder = join(import.meta.dirname, '..', '..', '..', 'bench', 'peers');
const require = createRequire(join(folder, 'package.json'));

/**
 * Imports a package of `bench/peers`, installing them all first where that was not done. `null`, with a line on the error
 * output that says why, when they cannot be had: the suite then leaves out the comparison, loudly.
 */
export async function loadPeer<T>(name: string): Promise<T | null> {
  try {
    if (!existsSync(join(folder, 'node_modules'))) await install();
    return (await import(pathToFileURL(require.resolve(name)).href)) as T;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`NOT COMPARED with ${name}: it could not be installed or loaded. ${reason}`);
    return null;
  }
}

async function install(): Promise<void> {
  console.error('Installing what the benchmarks compare with …');
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]);
}
