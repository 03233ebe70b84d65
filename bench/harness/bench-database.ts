import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#platform';
import { createDataSource, runMigrations } from '#transcripts';
import { clusterFiles } from '../../libs/platform/src/embedded-postgres/cluster-files.js';

/** A PostgreSQL of its own with a migrated log: durable as in production, gone with `stop`. */
export interface BenchDatabase {
  readonly url: string;
  /** The file that the server logs to. */
  readonly serverLog: string;
  /** Makes another database of the same server, with an empty log, and answers its URL. */
  another(name: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startBenchDatabase(): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'offshoot-bench-'));
  const server = await startEmbeddedPostgres({ dataDir });
  const stop = async (): Promise<void> => {
    await server.stop('immediate');
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await migrate(server.url);
    const serverLog = clusterFiles(join(dataDir, 'postgres')).log;
    return { url: server.url, serverLog, another: (name) => createDatabase(server.url, name), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${client.escapeIdentifier(name)}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return url.href;
}

async function migrate(url: string): Promise<void> {
  const dataSource = await createDataSource({ url }).initialize();
  await runMigrations(dataSource);
  await dataSource.destroy();
}
