import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenAiModel } from '../../apps/worker/src/models/openai-model.js';
import { startTestRedis } from '../../test/support/start-test-redis.js';
import { startBenchDatabase } from '../harness/bench-database.js';
import { interleave } from '../harness/interleave.js';
import { type Measurement, measurement, type MeasurementInput } from '../harness/measurement.js';
import { median } from '../harness/median.js';
import type { Suite, SuiteOptions } from '../harness/suite.js';
import { startDbos } from './dbos-engine.js';
import { type Engine, forksPerSecond } from './engine.js';
import { bareJobMs, firstRequestMs } from './first-request.js';
import { type HttpModel, startHttpModel } from './http-model.js';
import { InProcessModel } from './in-process-model.js';
import { startOffshoot } from './offshoot-engine.js';
import { type ProductOptions, startProduct } from './product.js';
import { FILE_NAME, STEPS_OF_FORK } from './workload.js';

const AT_ONCE = 32;

interface Place {
  readonly databaseUrl: string;
  readonly projectRoot: string;
  readonly model: HttpModel;
  readonly quick: boolean;
}

const figure = (fields: Omit<MeasurementInput, 'suite'>): Measurement =>
  measurement({ suite: 'runtime', ...fields });

interface Size {
  readonly forks: number;
  readonly rounds: number;
}

/** Forks a second of ours and, where it is installed, of the peer, in turns. Whatever happens, neither is left running. */
async function ratesOf(
  starters: readonly [() => Promise<Engine>, () => Promise<Engine | null>],
  { forks, rounds }: Size,
): Promise<readonly [number, number | null]> {
  const running: Engine[] = [];
  try {
    for (const start of starters) {
      const engine = await start();
      if (engine !== null) running.push(engine);
    }
    const contestants = running.map((engine) => ({
      name: engine.name,
      sample: () => forksPerSecond(engine, forks, AT_ONCE),
    }));
    const samples = await interleave(contestants, { rounds });
    const [ours = 0, theirs = null] = running.map(({ name }) => median(samples.get(name) ?? []));
    return [ours, theirs];
  } finally {
    for (const engine of running) await engine.stop();
  }
}

/** The goal is a bound on ours as a multiple of theirs. */
async function compareForks(
  what: string,
  starters: Parameters<typeof ratesOf>[0],
  { times, ...size }: Size & { readonly times: number },
): Promise<readonly Measurement[]> {
  const [value, theirs] = await ratesOf(starters, size);
  const peer = theirs === null ? null : { name: 'DBOS', value: theirs };
  return [
    figure({ metric: `forks, ${what}`, unit: 'forks/s', value, ...(peer === null ? {} : { peer }) }),
    figure({
      metric: `steps, ${what}`,
      unit: 'steps/s',
      value: value * STEPS_OF_FORK,
      ...(peer === null ? {} : { peer: { name: peer.name, value: peer.value * STEPS_OF_FORK } }),
    }),
    ...(peer === null
      ? []
      : [
          figure({
            metric: `forks beside DBOS, ${what}`,
            unit: 'x',
            value: value / peer.value,
            goal: { atLeast: times },
          }),
        ]),
  ];
}

async function endToEnd({ databaseUrl, projectRoot, model, quick }: Place): Promise<readonly Measurement[]> {
  const client = new OpenAiModel({ baseUrl: model.baseUrl, apiKey: 'bench', limiterKey: 'bench' });
  const product = () => startProduct({ databaseUrl, modelBaseUrl: model.baseUrl, projectRoot });
  const dbos = () => startDbos({ databaseUrl: peerOf(databaseUrl), projectRoot, model: client });
  const size = quick ? { forks: 32, rounds: 1 } : { forks: 96, rounds: 3 };
  return compareForks('end to end over HTTP', [product, dbos], { ...size, times: 1 });
}

async function inProcess({ databaseUrl, projectRoot, quick }: Place): Promise<readonly Measurement[]> {
  const model = new InProcessModel();
  const offshoot = () => startOffshoot({ databaseUrl, projectRoot, model });
  const dbos = () => startDbos({ databaseUrl: peerOf(databaseUrl), projectRoot, model });
  const size = quick ? { forks: 32, rounds: 1 } : { forks: 192, rounds: 5 };
  return compareForks('model in process', [offshoot, dbos], { ...size, times: 2 });
}

async function launchLatency(place: Place, redisUrl?: string): Promise<Measurement> {
  const { databaseUrl, projectRoot, model, quick } = place;
  const queue = redisUrl === undefined ? {} : { redisUrl };
  const options: ProductOptions = { databaseUrl, modelBaseUrl: model.baseUrl, projectRoot, ...queue };
  const launches = quick ? 10 : 60;
  const product = await startProduct(options);
  try {
    await firstRequestMs(product, model, 10);
    const value = await firstRequestMs(product, model, launches);
    const bare = await bareJobMs({ databaseUrl, ...queue }, launches);
    return figure({
      metric: `launch to first model request, p50, ${redisUrl === undefined ? 'embedded' : 'Redis'}`,
      unit: 'ms',
      value,
      peer: { name: 'bare BullMQ job', value: bare },
      goal: { atMost: redisUrl === undefined ? 25 : 10 },
    });
  } finally {
    await product.stop();
  }
}

/** The same server, another database: each side has its own tables. */
function peerOf(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.pathname = '/bench_dbos';
  return url.href;
}

async function measure(place: Place): Promise<readonly Measurement[]> {
  const embedded = await launchLatency(place);
  const redis = await startTestRedis();
  const redisUrl = process.env['OFFSHOOT_TEST_REDIS_URL'] ?? '';
  try {
    const overRedis = redisUrl === '' ? [] : [await launchLatency(place, redisUrl)];
    return [embedded, ...overRedis, ...(await endToEnd(place)), ...(await inProcess(place))];
  } finally {
    await redis.stop();
  }
}

async function run({ quick }: SuiteOptions): Promise<readonly Measurement[]> {
  const database = await startBenchDatabase();
  const projectRoot = await mkdtemp(join(tmpdir(), 'offshoot-bench-root-'));
  await writeFile(join(projectRoot, FILE_NAME), 'hello\n');
  const model = await startHttpModel();
  try {
    return await measure({ databaseUrl: database.url, projectRoot, model, quick });
  } finally {
    await model.stop();
    await database.stop();
    await rm(projectRoot, { recursive: true, force: true });
  }
}

/** What a durable fork costs beside a durable workflow, and how long a launch takes to its first request. */
export const runtimeSuite: Suite = {
  name: 'runtime',
  method:
    'A fork inherits eight messages, reads a file in each of five turns and ends with a sixth: eleven steps. DBOS runs workflows whose steps are the same request by the same client and the same tool call, on the same PostgreSQL with durable commits, in the process that launches and without its queue; ours goes over HTTP, dispatch, queue and a worker process end to end, and launches, claims and runs in the process that measures where the model is in process. 32 forks are on their way at once. The model is a stub on loopback that answers at once. A launch is timed alone, from the request to the arrival of the first model request, beside a job from its adding to its processor on the same backend.',
  run,
};
