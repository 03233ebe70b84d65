import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiClient } from '../../../apps/cli/src/api/api-client.js';
import { createTestDatabase } from '../test-database.js';
import { startScriptedModels, type ScriptedModels } from './scripted-models.js';

const root = join(import.meta.dirname, '..', '..', '..');

/** A running product: real processes over a database of its own, and the strict model server beside it. */
export interface TestSystem {
  readonly api: ApiClient;
  /** The admin key, for requests that the client does not make. */
  readonly key: string;
  /** The dashboard's one-time link, as the start prints it. */
  readonly loginUrl: string;
  readonly models: ScriptedModels;
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Process ids of the workers that the supervisor runs right now. */
  workers(): Promise<readonly number[]>;
  /** Process id of the orchestrator right now. */
  orchestrator(): Promise<number>;
  /** Kills the orchestrator and waits until its successor answers, at the same address. Needs a `port`. */
  restartOrchestrator(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestSystemOptions {
  /** BullMQ on this Redis; on PostgreSQL when absent. */
  readonly redisUrl?: string;
  readonly workers?: number;
  readonly concurrency?: number;
  /** Where the orchestrator listens; any free port when absent, another one after each restart. */
  readonly port?: number;
  /** Used instead of a new database. */
  readonly databaseUrl?: string;
  /** What the children log goes here. */
  readonly logLevel?: string;
  /** Heap of each process, in MB; what Node takes by itself when absent. */
  readonly heapMb?: number;
  /** The operator's file; none when absent. Commands of hooks run in the data directory, where it lies. */
  readonly operator?: object;
}

interface SupervisorFile {
  readonly address?: string;
  readonly pids?: { readonly orchestrator?: number; readonly workers?: readonly (number | null)[] };
}

/** Starts the built product as a user would, with `offshoot up`. Run `npm run build` before. */
export async function startSystem(options: TestSystemOptions = {}): Promise<TestSystem> {
  const database = options.databaseUrl === undefined ? await createTestDatabase() : null;
  const databaseUrl = options.databaseUrl ?? database?.url ?? '';
  const dataDir = await mkdtemp(join(tmpdir(), 'offshoot-e2e-'));
  const models = await startScriptedModels();
  if (options.operator !== undefined)
    await writeFile(join(dataDir, 'operator.json'), JSON.stringify(options.operator));
  const child = spawnUp({ ...options, databaseUrl, dataDir, scriptedUrl: models.url });
  const printed = loginLink(child);
  const file = await published(dataDir, child);
  const key = (await readFile(join(dataDir, 'admin.key'), 'utf8')).trim();
  return {
    api: new ApiClient(file.address ?? '', key),
    key,
    loginUrl: await printed,
    models,
    databaseUrl,
    dataDir,
    workers: async () => ((await readRecord(dataDir)).pids?.workers ?? []).filter((pid) => pid !== null),
    orchestrator: async () => (await readRecord(dataDir)).pids?.orchestrator ?? 0,
    restartOrchestrator: () => restartOrchestrator(dataDir, file.address ?? ''),
    stop: async () => {
      await endProcess(child);
      await models.stop();
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

interface UpOptions extends TestSystemOptions {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly scriptedUrl: string;
}

function spawnUp(options: UpOptions): ChildProcess {
  const {
    redisUrl,
    workers = 2,
    concurrency = 16,
    databaseUrl,
    dataDir,
    scriptedUrl,
    port = 0,
    logLevel = 'silent',
  } = options;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    OFFSHOOT_DATA_DIR: dataDir,
    OFFSHOOT_SCRIPTED_BASE_URL: scriptedUrl,
    ANTHROPIC_BASE_URL: scriptedUrl,
    ANTHROPIC_API_KEY: 'test',
    OFFSHOOT_WORKERS: String(workers),
    OFFSHOOT_WORKER_CONCURRENCY: String(concurrency),
    OFFSHOOT_LOG_LEVEL: logLevel,
    HOST: '127.0.0.1',
    PORT: String(port),
    NODE_OPTIONS: options.heapMb === undefined ? '' : `--max-old-space-size=${options.heapMb}`,
  };
  if (redisUrl !== undefined) env['REDIS_URL'] = redisUrl;
  if (options.operator !== undefined) env['OFFSHOOT_CONFIG'] = join(dataDir, 'operator.json');
  return spawn(process.execPath, [join(root, 'dist/apps/cli/src/main.js'), 'up'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The first line says where it runs; the rest is read and dropped, so that the pipe never fills. */
function loginLink(child: ChildProcess): Promise<string> {
  const output = child.stdout;
  if (output === null) throw new TypeError('The output of "offshoot up" is not piped.');
  return new Promise((resolve) => {
    createInterface({ input: output }).once('line', (line) => resolve(line.replace(/^.* at /, '')));
    child.once('exit', () => resolve(''));
  });
}

async function readRecord(dataDir: string): Promise<SupervisorFile> {
  try {
    return JSON.parse(await readFile(join(dataDir, 'supervisor.json'), 'utf8')) as SupervisorFile;
  } catch {
    return {};
  }
}

async function published(dataDir: string, child: ChildProcess): Promise<SupervisorFile> {
  for (let waitedMs = 0; waitedMs < 120_000; waitedMs += 50) {
    const record = await readRecord(dataDir);
    if (record.address !== undefined) return record;
    if (child.exitCode !== null)
      throw new Error(`"offshoot up" ended with code ${child.exitCode} before it was ready.`);
    await pause(50);
  }
  throw new Error('"offshoot up" was not ready in two minutes.');
}

async function restartOrchestrator(dataDir: string, address: string): Promise<void> {
  const victim = (await readRecord(dataDir)).pids?.orchestrator;
  if (victim === undefined) throw new Error('There is no orchestrator to kill.');
  process.kill(victim, 'SIGKILL');
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 50) {
    const { orchestrator } = (await readRecord(dataDir)).pids ?? {};
    const answers = (): Promise<boolean> =>
      fetch(`${address}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    if (orchestrator !== undefined && orchestrator !== victim && (await answers())) return;
    await pause(50);
  }
  throw new Error('The orchestrator did not come back in a minute.');
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}
