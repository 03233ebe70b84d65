import { readFile } from 'node:fs/promises';
import type { ClusterFiles } from './cluster-files.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import type { PostgresBinaries } from './find-binaries.js';
import { join } from 'node:path';
import * as z from 'zod';

const manifest = z.object({ version: z.string() });

/**
 * Refuses a cluster that another major version of PostgreSQL made: its files cannot be read by these
 * programs. Throws `CLUSTER_UNUSABLE`. The platform package carries the version of its PostgreSQL.
 */
export async function checkVersion(files: ClusterFiles, binaries: PostgresBinaries): Promise<void> {
  const ofCluster = (await readFile(files.version, 'utf8')).trim();
  const text = await readFile(join(binaries.packageDir, 'package.json'), 'utf8');
  const ofPrograms = manifest.parse(JSON.parse(text)).version.split('.')[0];
  if (ofCluster === ofPrograms) return;
  throw new EmbeddedPostgresError(
    'CLUSTER_UNUSABLE',
    `The cluster ${files.cluster} was made by PostgreSQL ${ofCluster}; the installed programs are version ${ofPrograms ?? '?'}. ` +
      `Dump it with version ${ofCluster} and restore it, or set DATABASE_URL.`,
  );
}
