import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    const endWatch = watchOver(server.pid, dataDir);
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

/**
 * A shell that reads from us until we are gone, however we went, and then ends the server. Its end of input
 * is the one signal that a SIGKILL cannot suppress. Answers how to call it off.
 */
function watchOver(pid: number, dataDir: string): () => void {
  const script = 'cat >/dev/null; kill -QUIT "$1"; while kill -0 "$1"; do sleep 0.1; done; rm -rf "$2"';
  const watch = spawn('sh', ['-c', script, 'sh', String(pid), dataDir], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  // A system without a shell loses the safety net, nothing else.
  watch.on('error', () => undefined);
  watch.unref();
  if (watch.stdin instanceof Socket) watch.stdin.unref();
  return () => {
    watch.kill('SIGKILL');
    watch.stdin.destroy();
  };
}
