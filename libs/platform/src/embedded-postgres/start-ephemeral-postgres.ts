import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithOwner } from './end-with-owner.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './start-embedded-postgres.js';
import { stopPostmaster } from './stop-postmaster.js';

/**
 * A cluster for tests and demos: in a temporary folder, fast because not safe against power cuts, gone
 * with `stop()`, and gone too when this process is killed. Throws `EmbeddedPostgresError`.
 */
export async function startEphemeralPostgres(): Promise<EmbeddedPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'offshoot-pg-'));
  const removeFiles = (): Promise<void> => rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  try {
    const server = await startEmbeddedPostgres({ dataDir, isDurable: false });
    const endWatch = endWithOwner(server.pid, dataDir);
    const stop = async (): Promise<void> => {
      endWatch();
      await stopPostmaster(server.pid, 'SIGQUIT');
      await removeFiles();
    };
    return { ...server, stop };
  } catch (error) {
    await removeFiles();
    throw error;
  }
}
