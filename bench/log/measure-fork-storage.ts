import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { ApiClient } from '../../apps/cli/src/api/api-client.js';
import type { BenchDatabase } from '../harness/bench-database.js';
import { type Measurement, measurement } from '../harness/measurement.js';
import { growth, type StoredBytes, storedBytes } from '../harness/relation-bytes.js';
import { runProduct } from '../runtime/running-product.js';
import { systemInstruction } from '../runtime/workload.js';

const suite = 'log';
const historyBytes = 1024 * 1024;
const goalBytes = 4 * 1024;
const callers = 16;
const waitMs = 60_000;
/** Nothing is ever asked of it: no worker runs. */
const modelBaseUrl = 'http://127.0.0.1:1/v1';

/** What a fork of a history of 1 MB keeps on disk, beside a copy of what it inherits. */
export async function measureForkStorage(
  database: BenchDatabase,
  forks: number,
): Promise<readonly Measurement[]> {
  const databaseUrl = await database.another('bench_forks');
  const product = await runProduct({ databaseUrl, modelBaseUrl, workers: 0 });
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    const session = await openSession(product.api);
    // The first ones bring the tables and indexes to their first pages.
    await launchAll(product.api, session, callers);
    await untilListed(client, callers);
    const before = await storedBytes(client);
    await launchAll(product.api, session, forks);
    await untilListed(client, callers + forks);
    return figures(growth(before, await storedBytes(client)), forks);
  } finally {
    await client.end();
    await product.stop();
  }
}

function figures(grown: StoredBytes, forks: number): readonly Measurement[] {
  const about = { suite, unit: 'bytes/fork', peer: { name: 'a copy of the history', value: historyBytes } };
  return [
    measurement({
      ...about,
      metric: 'fork of a history of 1 MB, in the log',
      value: grown.log / forks,
      goal: { atMost: goalBytes },
    }),
    measurement({
      ...about,
      metric: 'fork of a history of 1 MB, with its lines in the read models',
      value: grown.everything / forks,
      goal: { atMost: goalBytes },
    }),
  ];
}

/** 32 exchanges; random, so that nothing is saved by compressing them. */
async function openSession(api: ApiClient): Promise<string> {
  const text = (): string => randomBytes((historyBytes / 64) * 0.75).toString('base64');
  const messages = Array.from({ length: 32 }, () => [
    { role: 'user', content: text() },
    { role: 'assistant', content: text() },
  ]).flat();
  const runtime = { projectRoot: tmpdir(), model: 'openai:bench', systemInstruction };
  const body = { ...runtime, history: { format: 'openai', messages } };
  return (await api.post<{ id: string }>('/v1/sessions', body)).id;
}

async function launchAll(api: ApiClient, session: string, forks: number): Promise<void> {
  const call = { description: 'read', prompt: 'Read the file and report.', subagent_type: 'fork' };
  let left = forks;
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await api.post(`/v1/sessions/${session}/agents`, call);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

/** Until the readers have put every fork into the list of agents and among those that wait for a worker. */
async function untilListed(client: pg.Client, forks: number): Promise<void> {
  const text = `select least((select count(*) from agent_roster where kind = 'fork'), (select count(*) from dispatch))::int as listed`;
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += 50) {
    const { rows } = await client.query<{ listed: number }>(text);
    if (rows.every(({ listed }) => listed >= forks)) return;
    await pause(50);
  }
  throw new Error(`The lists did not come to hold ${forks} forks within ${waitMs / 1_000} s.`);
}
