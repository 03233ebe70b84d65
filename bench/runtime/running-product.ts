import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiClient } from '../../apps/cli/src/api/api-client.js';

// Compiled files lie in dist/bench/runtime.
const main = join(import.meta.dirname, '..', '..', 'apps', 'cli', 'src', 'main.js');
const START_MS = 60_000;

export interface RunningProductOptions {
  readonly databaseUrl: string;
  readonly redisUrl?: string;
  readonly modelBaseUrl: string;
  /** Worker processes, of sixteen places each; one when not said. */
  readonly workers?: number;
}

/** The whole product in processes of its own, as `offshoot up` starts it. */
export interface RunningProduct {
  readonly api: ApiClient;
  readonly address: string;
  /** The admin key. */
  readonly key: string;
  readonly orchestratorPid: number;
  stop(): Promise<void>;
}

interface SupervisorFile {
  readonly address: string;
  readonly pids: { readonly orchestrator: number };
}

export async function runProduct(options: RunningProductOptions): Promise<RunningProduct> {
  const dataDir = await mkdtemp(join(tmpdir(), 'offshoot-bench-product-'));
  const child = spawnUp(options, dataDir);
  const stop = async (): Promise<void> => {
    const gone = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGTERM')) await gone;
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const { address, pids } = await published(dataDir, child);
    const key = (await readFile(join(dataDir, 'admin.key'), 'utf8')).trim();
    return { api: new ApiClient(address, key), address, key, orchestratorPid: pids.orchestrator, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function spawnUp(options: RunningProductOptions, dataDir: string): ChildProcess {
  const { databaseUrl, redisUrl, modelBaseUrl, workers = 1 } = options;
  const own = { DATABASE_URL: databaseUrl, OFFSHOOT_DATA_DIR: dataDir, OPENAI_BASE_URL: modelBaseUrl };
  const fixed = { OPENAI_API_KEY: 'bench', OFFSHOOT_LOG_LEVEL: 'silent', PORT: '0' };
  const sized = { OFFSHOOT_WORKERS: String(workers) };
  const queue = redisUrl === undefined ? {} : { REDIS_URL: redisUrl };
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], OFFSHOOT_CHROMIUM: 'none' };
  return spawn(process.execPath, [main, 'up'], {
    env: { ...env, ...own, ...fixed, ...sized, ...queue },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function published(dataDir: string, child: ChildProcess): Promise<SupervisorFile> {
  for (let waitedMs = 0; waitedMs < START_MS && child.exitCode === null; waitedMs += 50) {
    const text = await readFile(join(dataDir, 'supervisor.json'), 'utf8').catch(() => '{}');
    const file = JSON.parse(text) as Partial<SupervisorFile>;
    if (file.address !== undefined && file.pids !== undefined)
      return { address: file.address, pids: file.pids };
    await pause(50);
  }
  throw new Error('The product did not start.');
}
