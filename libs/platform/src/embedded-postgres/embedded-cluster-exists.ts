import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { clusterFiles } from './cluster-files.js';

/** True when the data directory holds an embedded cluster, running or not. */
export function embeddedClusterExists(dataDir: string): boolean {
  return existsSync(clusterFiles(join(resolve(dataDir), 'postgres')).version);
}
