import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StartedService } from './started-service.js';

const nothing: StartedService = { stop: () => Promise.resolve() };

/**
 * Gives the run a Redis as `OFFSHOOT_TEST_REDIS_URL`: the one named there, else a `redis-server` from the
 * PATH. Without either the Redis half is left out, loudly, and `OFFSHOOT_REQUIRE_REDIS=1` makes that an error.
 */
export async function startTestRedis(): Promise<StartedService> {
  if ((process.env['OFFSHOOT_TEST_REDIS_URL'] ?? '') !== '') return nothing;
  const dir = await mkdtemp(join(tmpdir(), 'offshoot-redis-'));
  const port = await freePort();
  const server = await spawnRedis(port, dir);
  if (server === undefined) {
    await rm(dir, { recursive: true, force: true });
    return leaveOut();
  }
  await untilListening(port, server);
  process.env['OFFSHOOT_TEST_REDIS_URL'] = `redis://127.0.0.1:${port}`;
  return { stop: () => stopRedis(server, dir) };
}

function leaveOut(): StartedService {
  const message =
    'No redis-server on the PATH and no OFFSHOOT_TEST_REDIS_URL: the Redis half of the tests is NOT run.';
  if (process.env['OFFSHOOT_REQUIRE_REDIS'] === '1') throw new Error(message);
  process.stderr.write(`\n*** ${message} ***\n\n`);
  return nothing;
}

function spawnRedis(port: number, dir: string): Promise<ChildProcess | undefined> {
  const settings = ['--bind', '127.0.0.1', '--port', String(port), '--dir', dir];
  const memoryOnly = ['--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'];
  // The shell keeps our pipe as its input, so that Redis and its folder end with us, however we end.
  const script =
    'redis-server "$@" >/dev/null 2>&1 & server=$!; cat >/dev/null; kill -KILL $server; wait $server; rm -rf "$TEST_DIR"';
  return new Promise((resolve) => {
    const lookup = spawn('redis-server', ['--version'], { stdio: 'ignore' });
    lookup.once('error', () => resolve(undefined));
    lookup.once('exit', () => {
      const shell = spawn('sh', ['-c', script, 'sh', ...settings, ...memoryOnly], {
        stdio: ['pipe', 'ignore', 'ignore'],
        detached: true,
        env: { ...process.env, TEST_DIR: dir },
      });
      resolve(shell);
    });
  });
}

async function stopRedis(server: ChildProcess, dir: string): Promise<void> {
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.stdin?.end();
  await gone;
  await rm(dir, { recursive: true, force: true, maxRetries: 3 });
}

async function untilListening(port: number, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 500 && server.exitCode === null; attempt += 1) {
    if (await isListening(port)) return;
    await sleep(20);
  }
  throw new Error(`redis-server did not listen on port ${port}.`);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('The system gave no loopback port.'));
      });
    });
  });
}
