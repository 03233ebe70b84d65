import { open, truncate, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { spawnAs, type Account } from './account.js';
import type { ClusterFiles } from './cluster-files.js';

/** How the server is started. */
export interface LaunchPostmaster {
  readonly account: Account;
  readonly postgres: string;
  readonly env: NodeJS.ProcessEnv;
  readonly port: number;
  /** Further settings, `name=value`. */
  readonly settings: readonly string[];
}

const logLimitBytes = 16 * 1024 * 1024;

/**
 * Starts the server in a session of its own, so that ^C in a terminal reaches us and not it, and answers its
 * process id at once. It listens on loopback only and makes no socket files.
 */
export async function launchPostmaster(files: ClusterFiles, launch: LaunchPostmaster): Promise<number> {
  const log = await openLog(files.log);
  try {
    const child = spawnAs(launch.account, launch.postgres, serverArguments(files, launch), {
      cwd: files.root,
      env: launch.env,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('spawn', () => {
        child.unref();
        if (child.pid !== undefined) resolve(child.pid);
      });
    });
  } finally {
    await log.close();
  }
}

/** A loopback port that is free now. Another program may take it before the server does: try again then. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('The system gave no loopback port.'));
      });
    });
  });
}

function serverArguments(files: ClusterFiles, launch: LaunchPostmaster): readonly string[] {
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${launch.port}`,
    'unix_socket_directories=',
    'max_connections=300',
    'timezone=UTC',
    'log_timezone=UTC',
    ...launch.settings,
  ];
  return ['-D', files.cluster, ...settings.flatMap((setting) => ['-c', setting])];
}

async function openLog(path: string): Promise<Awaited<ReturnType<typeof open>>> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > logLimitBytes) await truncate(path);
  return open(path, 'a', 0o600);
}
