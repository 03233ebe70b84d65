import { setTimeout as pause } from 'node:timers/promises';
import { startBenchDatabase } from '../harness/bench-database.js';
import { type Measurement, measurement, type MeasurementInput } from '../harness/measurement.js';
import { quantile } from '../harness/median.js';
import { processUsage } from '../harness/process-usage.js';
import type { Suite, SuiteOptions } from '../harness/suite.js';
import { Arrivals } from './arrivals.js';
import { type Audience, type Fanned, type Load, publishInTurns } from './publish-and-time.js';
import { type Publisher, startBareServer, startOrchestrator } from './publishers.js';
import { subscribe, type Subscribers } from './subscribers.js';

const many = 1_000;
/** Until connections are set up and what they took for that is given back. */
const settleMs = 3_000;

const figure = (fields: Omit<MeasurementInput, 'suite'>): Measurement =>
  measurement({ suite: 'fanout', ...fields });

/** From a commit to those who follow the event stream, alone and as one of many. */
export const fanoutSuite: Suite = {
  name: 'fanout',
  method:
    'Events of 400 bytes are appended by one process, one after the other with uneven pauses (20 ms on the average for one subscriber, 50 ms for ' +
    '1,000), and read as SSE by clients of that process from `/v1/events` of an orchestrator, which all follow one tail; its seven other ' +
    'readers of the log run beside it. The time begins when the writer knows of its commit and ends when a client has the whole line; every event ' +
    'must come to every client exactly once. The peer is the least that does it: the row and a NOTIFY with the event in one statement, and a ' +
    'process that LISTENs and writes to all clients at once: it keeps no place, filters nothing and loses what it does not hear. Both run on one ' +
    'server and take turns. CPU is that of the serving process over the turn, as a part of one core; memory is its growth by 1,000 clients that ' +
    'have nothing to read.',
  run,
};

async function run({ quick }: SuiteOptions): Promise<readonly Measurement[]> {
  const database = await startBenchDatabase();
  const publishers: Publisher[] = [];
  try {
    publishers.push(await startOrchestrator(database.url));
    publishers.push(await startBareServer(database.url));
    const one = quick ? { rounds: 1, events: 50 } : { rounds: 3, events: 300 };
    const all = quick ? { rounds: 1, events: 20 } : { rounds: 3, events: 150 };
    return [
      ...(await measureAudience(publishers, 1, { ...one, pauseMs: 20 })),
      ...(await measureAudience(publishers, many, { ...all, pauseMs: 50 })),
    ];
  } finally {
    for (const publisher of publishers) await publisher.stop();
    await database.stop();
  }
}

async function measureAudience(
  publishers: readonly Publisher[],
  count: number,
  load: Load,
): Promise<readonly Measurement[]> {
  const audiences: Audience[] = [];
  const open: Subscribers[] = [];
  const memory: (number | null)[] = [];
  try {
    for (const publisher of publishers) {
      const arrivals = new Arrivals();
      const before = await settledBytes(publisher);
      open.push(await subscribe(publisher.address, count, arrivals));
      const after = await settledBytes(publisher);
      memory.push(before === null || after === null ? null : (after - before) / count);
      audiences.push({ publisher, arrivals, subscribers: count });
    }
    const fanned = await publishInTurns(audiences, load);
    const names = publishers.map(({ name }) => name);
    return [
      ...latencyFigures(names, fanned, count),
      ...(count < many
        ? []
        : pairFigure(names, memory, { metric: 'memory of an idle client', unit: 'bytes' })),
    ];
  } finally {
    for (const subscribers of open) subscribers.close();
  }
}

async function settledBytes({ pid }: Publisher): Promise<number | null> {
  await pause(settleMs);
  return (await processUsage(pid))?.residentBytes ?? null;
}

function latencyFigures(
  names: readonly string[],
  fanned: readonly Fanned[],
  count: number,
): readonly Measurement[] {
  const what = count === 1 ? 'one subscriber' : `${count.toLocaleString('en')} subscribers`;
  const at = (part: number) => fanned.map(({ latenciesMs }) => quantile(latenciesMs, part));
  const shares = fanned.map(({ cpuShare }) => (cpuShare === null ? null : cpuShare * 100));
  return [
    ...pairFigure(names, at(0.5), { metric: `commit to ${what}, p50`, unit: 'ms' }),
    ...pairFigure(names, at(0.99), { metric: `commit to ${what}, p99`, unit: 'ms' }),
    ...pairFigure(names, shares, { metric: `CPU of the server, ${what}`, unit: '% of a core' }),
  ];
}

/** Our figure beside the peer's; nothing where the system could not say it. */
function pairFigure(
  [, name = '']: readonly string[],
  [ours = null, theirs = null]: readonly (number | null)[],
  about: Pick<MeasurementInput, 'metric' | 'unit'>,
): readonly Measurement[] {
  if (ours === null || theirs === null) {
    console.error(`NOT MEASURED: ${about.metric}. This system does not say what a process takes.`);
    return [];
  }
  return [figure({ ...about, value: ours, peer: { name, value: theirs } })];
}
