import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BundledScript, bundleScript } from '../../../../test/support/bundle-script.js';
import { runningOf, until, writtenPids } from '../tools/testing/processes.js';
import { makePool, sessionWith } from './testing/pool-harness.js';
import { anyTool, makeRawServer, type RawServer } from './testing/make-raw-server.js';

jest.setTimeout(120_000);

const kills = 20;
let folder: string;
let owner: BundledScript;
let server: RawServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offshoot-mcp-owner-'));
  owner = await bundleScript(join(import.meta.dirname, 'testing/pool-owner.ts'));
  server = await makeRawServer({ tools: [anyTool('hang')] });
});
afterAll(async () => {
  await server.remove();
  await rm(folder, { recursive: true, force: true });
  await owner.remove();
});

/** A server behind a wrapper, with a helper in a session of its own: three processes, each with its pid written down. */
async function wrapped(name: string): Promise<{ pids: string; config: object }> {
  const pids = join(folder, name);
  await mkdir(pids);
  const script = `echo $$ > ${pids}/w.pid; setsid sleep 300 & echo $! > ${pids}/h.pid; ${process.execPath} ${server.config.args.join(' ')} <&3 & echo $! > ${pids}/s.pid; wait $!`;
  return { pids, config: { command: 'bash', args: ['-c', `exec 3<&0; ${script}`] } };
}

async function startOwner(config: object): Promise<ChildProcess> {
  const child = spawn(process.execPath, [owner.path, JSON.stringify({ raw: config })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  expect(line.toString()).toBe('1 tools\n');
  return child;
}

async function expectNoneLeft(folders: readonly string[]): Promise<void> {
  const pids = (await Promise.all(folders.map(writtenPids))).flat();
  expect(pids).toHaveLength(folders.length * 3);
  await until(async () => (await runningOf(pids)).length === 0);
}

describe('stdio servers', () => {
  it(`[M13] after ${kills} SIGKILLs of their owner no server, wrapper or helper is left`, async () => {
    const folders: string[] = [];
    for (let round = 0; round < kills; round += 1) {
      const { pids, config } = await wrapped(`kill-${round}`);
      folders.push(pids);
      const child = await startOwner(config);
      expect(await runningOf(await writtenPids(pids))).toHaveLength(3);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await expectNoneLeft(folders);
  });

  it('[M13] an owner that ends in order leaves none either, though the server ignores the request to end', async () => {
    const { pids, config } = await wrapped('term');
    const child = await startOwner(config);
    child.kill('SIGTERM');
    await once(child, 'exit');
    await expectNoneLeft([pids]);
  });

  it('[M13] closing the pool ends the servers, and what a server left behind when it ended by itself', async () => {
    const { pids, config } = await wrapped('close');
    const { pool } = makePool();
    await pool.resolve(sessionWith({ raw: config }));
    const first = await writtenPids(pids);
    process.kill(Number(await readFile(join(pids, 's.pid'), 'utf8')), 'SIGKILL');
    await until(async () => (await runningOf(first)).length === 0);
    await pool.close();
    await expectNoneLeft([pids]);
  });

  it('a server that is still starting is given up at once when the pool closes', async () => {
    const silent = await makeRawServer({ tools: [], silent: ['initialize'] });
    const { pool } = makePool();
    const resolving = pool.resolve(sessionWith({ silent: silent.config }));
    await until(async () => (await silent.received()).length === 1);
    await pool.close();
    expect((await resolving).tools).toEqual([]);
    await silent.remove();
  });
});
