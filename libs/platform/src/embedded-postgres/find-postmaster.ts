import { readFile, realpath, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterFiles } from './cluster-files.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { parsePostmasterPid } from './parse-postmaster-pid.js';
import { isRunning, workingDirectory } from './process-state.js';

/** A server that runs on the cluster, and the port it listens on. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

const roundMs = 20;
const maxRounds = 1500;
// Another start makes the file before it writes it; after this long nobody is writing.
const writingRounds = 25;

/**
 * The server that holds the cluster, if one does. A server that is just stopping is waited for; a pid file
 * whose process is gone, or has become another program (the numbers start anew in a container), is removed,
 * because PostgreSQL itself would refuse to start over it. Throws `CLUSTER_UNUSABLE` when neither can be told.
 */
export async function findPostmaster(files: ClusterFiles): Promise<Postmaster | undefined> {
  for (let round = 0; round < maxRounds; round += 1) {
    const text = await readFile(files.postmasterPid, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const found = parsePostmasterPid(text);
    if (found === undefined ? round > writingRounds : !(await isServerOf(found.pid, files.cluster))) {
      await rm(files.postmasterPid, { force: true });
      return undefined;
    }
    if (found?.port !== undefined && found.status !== 'stopping') return { pid: found.pid, port: found.port };
    await sleep(roundMs);
  }
  throw new EmbeddedPostgresError(
    'CLUSTER_UNUSABLE',
    `A server holds ${files.cluster} and neither stops nor says its port; see ${files.postmasterPid}.`,
  );
}

/** A postmaster works inside its data folder; where the system does not tell, a living process is believed. */
async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (!(await isRunning(pid))) return false;
  const folder = await workingDirectory(pid);
  return folder === undefined || folder === (await realpath(cluster));
}
