import { randomBytes } from 'node:crypto';
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { errorCode } from '../errors/error-code.js';
import type { Account } from './account.js';
import { chooseAccount } from './choose-account.js';
import { clusterFiles, type ClusterFiles } from './cluster-files.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import type { PostgresBinaries } from './find-binaries.js';
import { runProgram } from './run-program.js';

/** The superuser of the cluster and the database that the product uses. */
export const clusterUser = 'offshoot';

/** What a cluster is made with. */
export interface CreateCluster {
  readonly binaries: PostgresBinaries;
  readonly env: NodeJS.ProcessEnv;
  /** Whether the files must survive a power cut right after creation. */
  readonly isDurable: boolean;
  /** Ends the making with its reason. */
  readonly signal?: AbortSignal;
}

/**
 * Makes a cluster beside its final place and moves it there in one step, with its password, so that a killed
 * or concurrent start never leaves half a cluster behind. The password is random and readable by its owner
 * alone; every connection needs it, from loopback too, because a fork's shell can reach the port.
 * Throws `NO_ACCOUNT` or `INITDB_FAILED`.
 */
export async function createCluster(target: ClusterFiles, options: CreateCluster): Promise<void> {
  const draft = clusterFiles(`${target.root}.new-${process.pid}`);
  await rm(draft.root, { recursive: true, force: true });
  await mkdir(draft.root, { mode: 0o700 });
  try {
    await initialise(draft, options);
    await moveIntoPlace(draft.root, target.root);
  } finally {
    await rm(draft.root, { recursive: true, force: true });
  }
}

async function initialise(draft: ClusterFiles, options: CreateCluster): Promise<void> {
  const trial = {
    cluster: draft.cluster,
    folder: draft.root,
    postgres: options.binaries.postgres,
    env: options.env,
  };
  const account = await chooseAccount(trial);
  await writeFile(draft.password, randomBytes(24).toString('base64url'), { mode: 0o600 });
  await giveTo(account, draft.password);
  const end = await runProgram(account, initdb(draft, options), {
    cwd: draft.root,
    env: options.env,
    timeoutMs: 180_000,
    ...(options.signal && { signal: options.signal }),
  });
  options.signal?.throwIfAborted();
  if (end.code !== 0) {
    throw new EmbeddedPostgresError(
      'INITDB_FAILED',
      `initdb ended with ${end.code ?? 'a signal'}: ${end.output}`,
    );
  }
}

function initdb(draft: ClusterFiles, options: CreateCluster): [string, ...string[]] {
  return [
    options.binaries.initdb,
    `--pgdata=${draft.cluster}`,
    `--username=${clusterUser}`,
    `--pwfile=${draft.password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
    ...(options.isDurable ? [] : ['--no-sync']),
  ];
}

async function giveTo(account: Account, file: string): Promise<void> {
  if (account.kind === 'user') await chown(file, account.uid, account.gid);
}

async function moveIntoPlace(draft: string, target: string): Promise<void> {
  try {
    await rename(draft, target);
  } catch (error) {
    // Another start was faster and its cluster is as good as ours.
    const code = errorCode(error);
    const isTaken = code === 'ENOTEMPTY' || code === 'EEXIST';
    if (!isTaken) throw error;
  }
}
