import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pickEnvironment } from '../config/environment.js';
import { errorCode } from '../errors/error-code.js';
import { arrangeLibraries } from './arrange-libraries.js';
import { awaitReady, runOnce, type Readiness } from './await-ready.js';
import { chooseAccount } from './choose-account.js';
import { clusterFiles, type ClusterFiles } from './cluster-files.js';
import { clusterUser, createCluster } from './create-cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { findBinaries, type PostgresBinaries } from './find-binaries.js';
import { findPostmaster, type Postmaster } from './find-postmaster.js';
import { freePort, launchPostmaster } from './launch-postmaster.js';
import { checkVersion } from './check-version.js';
import { stopPostmaster } from './stop-postmaster.js';

/** Where the cluster lives and how it is run. */
export interface StartEmbeddedPostgres {
  /** Folder that holds `postgres/`; made when absent. Relative paths start at the working directory. */
  readonly dataDir: string;
  /** Loopback port; a free one by default. A cluster that is adopted keeps its own. */
  readonly port?: number;
  /** False gives up safety against power cuts for speed; for tests alone. */
  readonly isDurable?: boolean;
  /** How long the server may take to answer, recovery included. Default 120 s. */
  readonly readyTimeoutMs?: number;
  /** Ends the start with its reason; no server is left running then, not even one that was to be adopted. */
  readonly signal?: AbortSignal;
}

/** A running cluster. */
export interface EmbeddedPostgres {
  /** Connection string of the product's database, password included: never log it. */
  readonly url: string;
  readonly pid: number;
  readonly port: number;
  /** Whether the server was running already, left by a launcher that was killed. */
  readonly adopted: boolean;
  /**
   * Stops the server and answers when it is gone; the data stay. `immediate` leaves the writing of what is in
   * memory to the recovery of the next start.
   */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
}

interface Installation {
  readonly files: ClusterFiles;
  readonly binaries: PostgresBinaries;
  readonly env: NodeJS.ProcessEnv;
  readonly isDurable: boolean;
}

const attempts = 3;
// duplicate_database, and unique_violation when both inserts into the catalogue race.
const alreadyThere = new Set(['42P04', '23505']);
const unsafe = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/**
 * Runs a real PostgreSQL on loopback with its data in `dataDir` (spec 01, "Embedded default"). Makes the
 * cluster on the first start, adopts the server that a killed launcher left behind, and works as root too.
 * Throws `EmbeddedPostgresError`.
 */
export async function startEmbeddedPostgres(options: StartEmbeddedPostgres): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const files = clusterFiles(join(dataDir, 'postgres'));
  const binaries = findBinaries();
  const env = {
    ...programEnvironment(),
    ...(await arrangeLibraries(binaries.packageDir, join(dataDir, 'postgres-lib'))),
  };
  const installation = { files, binaries, env, isDurable: options.isDurable ?? true };
  const { signal } = options;
  if (!existsSync(files.version)) await createCluster(files, { ...installation, ...(signal && { signal }) });
  signal?.throwIfAborted();
  await checkVersion(files, binaries);
  return startServer(installation, options);
}

async function startServer(
  installation: Installation,
  options: StartEmbeddedPostgres,
): Promise<EmbeddedPostgres> {
  const { files } = installation;
  let failure = '';
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const living = await findPostmaster(files);
    const server = living ?? (await launch(installation, options.port ?? (await freePort())));
    const ready = await awaitServer(files, server, options);
    await stopIfAborted(server, options.signal);
    if (ready.ok) return await runningServer(files, server, living !== undefined);
    failure = ready.reason;
    if (living === undefined) await stopPostmaster(server.pid, 'SIGQUIT');
  }
  const log = await readFile(files.log, 'utf8').catch(() => '');
  throw new EmbeddedPostgresError(
    'SERVER_FAILED',
    `The embedded PostgreSQL did not start: ${failure}. Its log ${files.log} ends: ${log.slice(-1500).trim()}`,
  );
}

async function stopIfAborted(server: Postmaster, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted !== true) return;
  await stopPostmaster(server.pid, 'SIGINT');
  signal.throwIfAborted();
}

async function launch(installation: Installation, port: number): Promise<Postmaster> {
  const { files, binaries, env, isDurable } = installation;
  const account = await chooseAccount({
    cluster: files.cluster,
    folder: files.cluster,
    postgres: binaries.postgres,
    env,
  });
  const settings = isDurable ? [] : unsafe;
  return {
    port,
    pid: await launchPostmaster(files, { account, postgres: binaries.postgres, env, port, settings }),
  };
}

async function awaitServer(
  files: ClusterFiles,
  server: Postmaster,
  { readyTimeoutMs: timeoutMs = 120_000, signal }: StartEmbeddedPostgres,
): Promise<Readiness> {
  const url = await urlOf(files, server.port, 'postgres');
  return awaitReady(url, server.pid, { timeoutMs, ...(signal && { signal }) });
}

async function runningServer(
  files: ClusterFiles,
  server: Postmaster,
  adopted: boolean,
): Promise<EmbeddedPostgres> {
  await ensureDatabase(await urlOf(files, server.port, 'postgres'));
  return {
    url: await urlOf(files, server.port, clusterUser),
    pid: server.pid,
    port: server.port,
    adopted,
    stop: (how = 'fast') => stopPostmaster(server.pid, how === 'fast' ? 'SIGINT' : 'SIGQUIT'),
  };
}

async function ensureDatabase(maintenanceUrl: string): Promise<void> {
  const present = await runOnce(maintenanceUrl, [
    `select 1 from pg_database where datname = '${clusterUser}'`,
  ]);
  if (present.length > 0) return;
  try {
    await runOnce(maintenanceUrl, [`create database ${clusterUser}`]);
  } catch (error) {
    // A start at the same moment made it.
    if (!alreadyThere.has(errorCode(error) ?? '')) throw error;
  }
}

async function urlOf(files: ClusterFiles, port: number, database: string): Promise<string> {
  const password = (await readFile(files.password, 'utf8')).trim();
  return `postgres://${clusterUser}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** The server needs no secrets of ours, and PG* variables meant for other programs would mislead it. */
function programEnvironment(): NodeJS.ProcessEnv {
  return pickEnvironment(['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH']);
}
