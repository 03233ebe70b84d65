import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiClient } from '../../apps/cli/src/api/api-client.js';
import type { Engine } from './engine.js';
import { AT_ONCE, systemInstruction } from './workload.js';

// Compiled files lie in dist/bench/runtime.
const main = join(import.meta.dirname, '..', '..', 'apps', 'cli', 'src', 'main.js');
const START_MS = 60_000;
const ENDS = ['AgentCompleted', 'AgentFailed', 'AgentCancelled'];

export interface ProductOptions {
  readonly databaseUrl: string;
  readonly redisUrl?: string;
  readonly modelBaseUrl: string;
  readonly projectRoot: string;
}

/** The whole product in processes of its own: an orchestrator and one worker with sixteen places. */
export interface Product extends Engine {
  /** Launches a fork that answers at once; resolves when the launch is accepted. */
  launchShort(): Promise<string>;
  untilEnded(agentId: string): Promise<void>;
}

export async function startProduct(options: ProductOptions): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'offshoot-bench-product-'));
  const child = spawnUp(options, dataDir);
  const address = await published(dataDir, child);
  const api = new ApiClient(address, (await readFile(join(dataDir, 'admin.key'), 'utf8')).trim());
  const history = {
    format: 'openai',
    messages: Array.from({ length: 4 }, (_, round) => [
      { role: 'user', content: `Question ${round}: ${'what does it say? '.repeat(20)}` },
      { role: 'assistant', content: `Answer ${round}: ${'it says this. '.repeat(20)}` },
    ]).flat(),
  };
  const { projectRoot } = options;
  const runtime = { projectRoot, model: 'openai:bench', approvalMode: 'yolo', systemInstruction, history };
  const session = (await api.post<{ id: string }>('/v1/sessions', runtime)).id;
  const launch = async (prompt: string): Promise<string> => {
    const call = { description: 'read', prompt, subagent_type: 'fork' };
    return (await api.post<{ id: string }>(`/v1/sessions/${session}/agents`, call)).id;
  };
  const ends = new Ends();
  const listening = new AbortController();
  const listener = ends.listen(api, listening.signal);
  const untilEnded = (agentId: string): Promise<void> => ends.of(agentId);
  return {
    name: 'Offshoot',
    runFork: async () => untilEnded(await launch('Read the file and report.')),
    launchShort: () => launch(AT_ONCE),
    untilEnded,
    stop: async () => {
      listening.abort();
      await listener;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The ends of agents as the event stream tells them, so that nobody polls while the product is measured. */
class Ends {
  private readonly seen = new Map<string, PromiseWithResolvers>();

  of(agentId: string): Promise<void> {
    return this.endOf(agentId).promise;
  }

  async listen(api: ApiClient, signal: AbortSignal): Promise<void> {
    try {
      for await (const line of api.lines(`/v1/events?type=${ENDS.join(',')}`, signal)) {
        const { subject, type } = line as { subject?: string; type?: string };
        if (subject === undefined || !ENDS.some((end) => type?.endsWith(end) === true)) continue;
        if (type?.endsWith('AgentCompleted') === true) this.endOf(subject).resolve();
        else this.endOf(subject).reject(new Error(`A fork ended with ${type}.`));
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  private endOf(agentId: string): PromiseWithResolvers {
    const known = this.seen.get(agentId) ?? withResolvers();
    this.seen.set(agentId, known);
    return known;
  }
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

function withResolvers(): PromiseWithResolvers {
  let settle: Pick<PromiseWithResolvers, 'resolve' | 'reject'> = {
    resolve: () => undefined,
    reject: () => undefined,
  };
  const promise = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, ...settle };
}

function spawnUp({ databaseUrl, redisUrl, modelBaseUrl }: ProductOptions, dataDir: string): ChildProcess {
  const own = { DATABASE_URL: databaseUrl, OFFSHOOT_DATA_DIR: dataDir, OPENAI_BASE_URL: modelBaseUrl };
  const fixed = { OPENAI_API_KEY: 'bench', OFFSHOOT_WORKERS: '1', OFFSHOOT_LOG_LEVEL: 'silent', PORT: '0' };
  const queue = redisUrl === undefined ? {} : { REDIS_URL: redisUrl };
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], OFFSHOOT_CHROMIUM: 'none' };
  return spawn(process.execPath, [main, 'up'], {
    env: { ...env, ...own, ...fixed, ...queue },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function published(dataDir: string, child: ChildProcess): Promise<string> {
  for (let waitedMs = 0; waitedMs < START_MS && child.exitCode === null; waitedMs += 50) {
    const text = await readFile(join(dataDir, 'supervisor.json'), 'utf8').catch(() => '{}');
    const { address } = JSON.parse(text) as { address?: string };
    if (address !== undefined) return address;
    await pause(50);
  }
  throw new Error('The product did not start.');
}
