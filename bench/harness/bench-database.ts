import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#platform';
import { createDataSource, runMigrations } from '#transcripts';

/** A PostgreSQL of its own with a migrated log: durable as in production, gone with `stop`. */
export interface BenchDatabase {
  readonly url: string;
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
    const dataSource = await createDataSource({ url: server.url }).initialize();
    await runMigrations(dataSource);
    await dataSource.destroy();
    return { url: server.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
