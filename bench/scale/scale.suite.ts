import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startBenchDatabase } from '../harness/bench-database.js';
import { type Measurement, measurement, type MeasurementInput } from '../harness/measurement.js';
import { quantile } from '../harness/median.js';
import { processUsage } from '../harness/process-usage.js';
import type { Suite, SuiteOptions } from '../harness/suite.js';
import { type HttpModel, startHttpModel } from '../runtime/http-model.js';
import { type RunningProduct, runProduct } from '../runtime/running-product.js';
import { FILE_NAME, systemInstruction } from '../runtime/workload.js';
import { parkCopies, readParked } from './park-copies.js';

/** Until what a start or a flood of events took is given back. */
const settleMs = 15_000;
const watchMs = 20_000;
const catchUpMs = 1_800_000;
const answers = 20;

const figure = (fields: Omit<MeasurementInput, 'suite'>): Measurement =>
  measurement({ suite: 'scale', ...fields });

/** What agents cost that wait for a person: nothing but their rows. */
export const scaleSuite: Suite = {
  name: 'scale',
  method:
    'A fork of the product asks for an approval and parks. Its record is written again under new ids as often as the table says, through the store ' +
    'of the product, while the product does not run; then the product starts on it, its readers catch up, and after 15 idle seconds it is watched ' +
    'for 20. The peer is the same product on the same server with that one parked fork. Then twenty approvals of copies are allowed, one after ' +
    'the other: from the request of the answer to the next model request of the agent.',
  run,
};

interface Idle {
  readonly workerBytes: number;
  readonly workerCpu: number;
  readonly orchestratorBytes: number;
  readonly orchestratorCpu: number;
  readonly held: number;
}

async function run({ quick }: SuiteOptions): Promise<readonly Measurement[]> {
  const count = quick ? 200 : 100_000;
  const database = await startBenchDatabase();
  const projectRoot = await mkdtemp(join(tmpdir(), 'offshoot-bench-root-'));
  await writeFile(join(projectRoot, FILE_NAME), 'hello');
  const model = await startHttpModel();
  const options = { databaseUrl: database.url, modelBaseUrl: model.baseUrl };
  try {
    const before = await runProduct(options);
    const agentId = await parkOne(before, projectRoot);
    const alone = await watch(before, quick).finally(() => before.stop());
    const parked = await readParked(database.url, agentId);
    const approvals = await parkCopies(database.url, parked, count);
    const after = await runProduct(options);
    try {
      await untilCaughtUp(database.url, count);
      const many = await watch(after, quick);
      const waits = await answerSome(after, model, approvals);
      return figures(count, alone, many, waits);
    } finally {
      await after.stop();
    }
  } finally {
    await model.stop();
    await database.stop();
    await rm(projectRoot, { recursive: true, force: true });
  }
}

function figures(count: number, alone: Idle, many: Idle, waits: readonly number[]): readonly Measurement[] {
  const what = `${count.toLocaleString('en')} parked agents`;
  const mebi = 1024 ** 2;
  const beside = (metric: string, unit: string, of: (idle: Idle) => number): Measurement =>
    figure({ metric: `${what}: ${metric}`, unit, value: of(many), peer: { name: 'one', value: of(alone) } });
  return [
    figure({
      metric: `${what}: agents that workers hold`,
      unit: 'agents',
      value: many.held,
      goal: { atMost: 0 },
    }),
    beside('memory of the worker', 'MB', (idle) => idle.workerBytes / mebi),
    beside('CPU of the worker', '% of a core', (idle) => idle.workerCpu * 100),
    beside('memory of the orchestrator', 'MB', (idle) => idle.orchestratorBytes / mebi),
    beside('CPU of the orchestrator', '% of a core', (idle) => idle.orchestratorCpu * 100),
    figure({ metric: `${what}: answer to next model request, p50`, unit: 'ms', value: quantile(waits, 0.5) }),
    figure({ metric: `${what}: answer to next model request, worst`, unit: 'ms', value: Math.max(...waits) }),
  ];
}

async function parkOne({ api }: RunningProduct, projectRoot: string): Promise<string> {
  const runtime = {
    projectRoot,
    model: 'openai:bench',
    systemInstruction,
    permissions: { ask: ['read_file'] },
  };
  const { id } = await api.post<{ id: string }>('/v1/sessions', runtime);
  const call = { description: 'read', prompt: 'Read the file and report.', subagent_type: 'fork' };
  const fork = await api.post<{ id: string }>(`/v1/sessions/${id}/agents`, call);
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 50) {
    if ((await api.get<{ status: string }>(`/v1/agents/${fork.id}`)).status === 'waiting') return fork.id;
    await pause(50);
  }
  throw new Error('The fork did not ask for an approval.');
}

async function watch(product: RunningProduct, quick: boolean): Promise<Idle> {
  const scale = quick ? 0.1 : 1;
  await pause(settleMs * scale);
  const items = await workersOf(product);
  const [worker] = items;
  const pids = [worker.pid, product.orchestratorPid] as const;
  const first = await usageOf(pids);
  await pause(watchMs * scale);
  const last = await usageOf(pids);
  const seconds = (watchMs * scale) / 1_000;
  return {
    workerBytes: last[0].residentBytes,
    workerCpu: (last[0].cpuSeconds - first[0].cpuSeconds) / seconds,
    orchestratorBytes: last[1].residentBytes,
    orchestratorCpu: (last[1].cpuSeconds - first[1].cpuSeconds) / seconds,
    held: items.reduce((sum, { agents }) => sum + agents.length, 0),
  };
}

type Worker = { readonly pid: number; readonly agents: readonly unknown[] };

async function workersOf({ api }: RunningProduct): Promise<readonly [Worker, ...Worker[]]> {
  for (let waitedMs = 0; waitedMs < 30_000; waitedMs += 100) {
    const [first, ...rest] = (await api.get<{ items: readonly Worker[] }>('/v1/workers')).items;
    if (first !== undefined) return [first, ...rest];
    await pause(100);
  }
  throw new Error('The product has no worker.');
}

async function usageOf([worker, orchestrator]: readonly [number, number]) {
  const [first, second] = [await processUsage(worker), await processUsage(orchestrator)];
  if (first === null || second === null)
    throw new Error('The suite "scale" needs /proc: this system does not say what a process takes.');
  return [first, second] as const;
}

/** Until every copy stands among the open approvals, and dispatch has seen that it waits. */
async function untilCaughtUp(url: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const text = `select (select count(*) from approval_inbox where status = 'pending')::int as open,
    (select count(*) from agent_roster where status = 'waiting')::int as waiting`;
  try {
    const began = performance.now();
    while (performance.now() - began < catchUpMs) {
      const { rows } = await client.query<{ open: number; waiting: number }>(text);
      const [seen] = rows;
      if (seen !== undefined && Math.min(seen.open, seen.waiting) > count) return;
      await pause(500);
    }
    throw new Error('The readers did not catch up with the copies.');
  } finally {
    await client.end();
  }
}

async function answerSome(
  { api }: RunningProduct,
  model: HttpModel,
  approvals: readonly string[],
): Promise<readonly number[]> {
  const waits: number[] = [];
  const stride = Math.floor(approvals.length / answers);
  for (let turn = 0; turn < answers; turn += 1) {
    const asked = model.nextRequest();
    const began = performance.now();
    await api.post(`/v1/approvals/${approvals[turn * stride]}`, { decision: 'allow' });
    waits.push((await asked) - began);
  }
  return waits;
}
