import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { BenchDatabase } from '../harness/bench-database.js';
import { type Measurement, measurement, type MeasurementInput } from '../harness/measurement.js';
import { growth, type StoredBytes, storedBytes } from '../harness/relation-bytes.js';
import { type SentStatement, StatementLog } from '../harness/statement-log.js';
import { forksPerSecond } from '../runtime/engine.js';
import { startHttpModel } from '../runtime/http-model.js';
import { type Product, startProduct } from '../runtime/product.js';
import { FILE_NAME } from '../runtime/workload.js';

/** Random, so that nothing is saved by compressing it: what a turn says and what its tool finds. */
const said = randomBytes(300).toString('base64');
const found = randomBytes(1_500).toString('base64');
/** Until readers and sweeps have nothing left to do. */
const settleMs = 2_000;

const figure = (fields: Omit<MeasurementInput, 'suite'>): Measurement =>
  measurement({ suite: 'log', ...fields });

export interface TurnSizes {
  /** Forks in the loaded part, 32 at once, and in the quiet one, one at a time. */
  readonly loaded: number;
  readonly alone: number;
  readonly idleMs: number;
}

/** What turns of real agents cost the database: statements of all processes, and bytes kept for each byte of content. */
export async function measureTurns(
  database: BenchDatabase,
  sizes: TurnSizes,
): Promise<readonly Measurement[]> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    return await measure(await preparePlace(database, stops), sizes);
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

/** Starts everything; `stops` gets what ends each part, also where the next one does not come up. */
async function preparePlace(database: BenchDatabase, stops: (() => Promise<unknown>)[]): Promise<Place> {
  const databaseUrl = await database.another('bench_turns');
  const projectRoot = await mkdtemp(join(tmpdir(), 'offshoot-bench-root-'));
  stops.push(() => rm(projectRoot, { recursive: true, force: true }));
  await writeFile(join(projectRoot, FILE_NAME), found);
  const model = await startHttpModel(said);
  stops.push(() => model.stop());
  const product = await startProduct({ databaseUrl, modelBaseUrl: model.baseUrl, projectRoot });
  stops.push(() => product.stop());
  const statements = await StatementLog.start(databaseUrl, database.serverLog);
  stops.push(() => statements.stop());
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'statement-log' });
  await client.connect();
  stops.push(() => client.end());
  return { product, statements, client };
}

interface Place {
  readonly product: Product;
  readonly statements: StatementLog;
  readonly client: pg.Client;
}

async function measure(place: Place, sizes: TurnSizes): Promise<readonly Measurement[]> {
  await forksPerSecond(place.product, 32, 32);
  const idle = await duringIdle(place, sizes.idleMs);
  const loaded = await during(place, sizes.loaded, 32);
  const alone = await during(place, sizes.alone, 1);
  const unit = 'statements/turn';
  const stored = (part: keyof StoredBytes): number => loaded.grown[part] / loaded.content;
  return [
    figure({ metric: 'one turn, 32 agents at once', unit, value: loaded.perTurn.all, goal: { atMost: 20 } }),
    ...partsOf('one turn, 32 agents at once', loaded.perTurn),
    figure({ metric: 'one turn, one agent alone', unit, value: alone.perTurn.all, goal: { atMost: 20 } }),
    ...partsOf('one turn, one agent alone', alone.perTurn),
    figure({ metric: 'nothing to do', unit: 'statements/s', value: idle }),
    figure({
      metric: 'the log for a byte of content',
      unit: 'bytes',
      value: stored('log'),
      goal: { atMost: 3 },
    }),
    figure({
      metric: 'log, read models and queue for a byte of content',
      unit: 'bytes',
      value: stored('everything'),
    }),
  ];
}

function partsOf(metric: string, perTurn: Shares): readonly Measurement[] {
  const unit = 'statements/turn';
  return (['worker', 'orchestrator', 'queue'] as const).map((part) =>
    figure({ metric: `${metric}: ${part}`, unit, value: perTurn[part] }),
  );
}

interface Shares {
  readonly all: number;
  readonly worker: number;
  readonly orchestrator: number;
  readonly queue: number;
}

interface Cost {
  readonly perTurn: Shares;
  readonly grown: StoredBytes;
  /** Bytes of what models said and called, and of what tools answered. */
  readonly content: number;
}

async function during(place: Place, forks: number, atOnce: number): Promise<Cost> {
  await settle(place);
  const before = { ...(await recorded(place.client)), bytes: await storedBytes(place.client) };
  await forksPerSecond(place.product, forks, atOnce);
  // The readers end what the forks began: their outcomes are delivered.
  await pause(settleMs);
  const sent = await place.statements.take();
  const after = await recorded(place.client);
  return {
    perTurn: sharesOf(sent, after.turns - before.turns),
    grown: growth(before.bytes, await storedBytes(place.client)),
    content: after.content - before.content,
  };
}

async function duringIdle(place: Place, idleMs: number): Promise<number> {
  await settle(place);
  await pause(idleMs);
  return (await place.statements.take()).length / (idleMs / 1_000);
}

async function settle({ statements }: Place): Promise<void> {
  await pause(settleMs);
  await statements.take();
}

function sharesOf(sent: readonly SentStatement[], turns: number): Shares {
  const shares = { worker: 0, orchestrator: 0, queue: 0 };
  for (const statement of sent) shares[partOf(statement)] += 1 / turns;
  return { ...shares, all: sent.length / turns };
}

/** A worker sends those of its queue under its own name; they are BullMQ's, each of which begins with a comment. */
function partOf({ application, text }: SentStatement): 'worker' | 'orchestrator' | 'queue' {
  if (application === 'offshoot-queue' || text.startsWith('--')) return 'queue';
  return application.startsWith('offshoot-worker') ? 'worker' : 'orchestrator';
}

const recordedText = `select count(*) filter (where type = 'TurnRecorded')::float8 as turns,
  coalesce(sum(octet_length(data::jsonb ->> 'content')), 0)::float8 + coalesce(sum((
    select sum(coalesce(octet_length(block ->> 'text'), 0) + coalesce(octet_length(block ->> 'arguments'), 0))
    from jsonb_array_elements(data::jsonb #> '{message,blocks}') block)), 0)::float8 as content
from event where type in ('TurnRecorded', 'ToolCallFinished')`;

async function recorded(client: pg.Client): Promise<{ readonly turns: number; readonly content: number }> {
  const { rows } = await client.query<{ turns: number; content: number }>(recordedText);
  const [counts] = rows;
  if (counts === undefined || counts.turns < 1)
    throw new Error('The agents of the benchmark recorded no turn.');
  return counts;
}
