import { join } from 'node:path';

/** The files of one embedded cluster; absolute paths under `<dataDir>/postgres`. */
export interface ClusterFiles {
  readonly root: string;
  readonly cluster: string;
  readonly password: string;
  readonly log: string;
  readonly postmasterPid: string;
  readonly version: string;
}

/** Names the files of the cluster whose folder is `root` (absolute). */
export function clusterFiles(root: string): ClusterFiles {
  const cluster = join(root, 'cluster');
  return {
    root,
    cluster,
    password: join(root, 'password'),
    log: join(root, 'server.log'),
    postmasterPid: join(cluster, 'postmaster.pid'),
    version: join(cluster, 'PG_VERSION'),
  };
}
