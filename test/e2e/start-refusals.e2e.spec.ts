import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { freePort } from '../support/e2e/free-port.js';
import { runCli, runCliUnprivileged, runProgram, type CliAnswer } from '../support/e2e/run-cli.js';

jest.setTimeout(180_000);

const unreachable = 'DATABASE_URL names a database that cannot be used: connect ECONNREFUSED 127.0.0.1:9.\n';
const nobody = 'postgres://nobody:hushhush@127.0.0.1:9/none';

describe('a start that cannot succeed', () => {
  let folder: string;
  let dataDir: string;
  const taken: Server[] = [];

  const up = (env: Readonly<Record<string, string>>): Promise<CliAnswer> =>
    runCli(['up'], { OFFSHOOT_DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', ...env });
  const take = async (): Promise<number> => {
    const server = createServer().listen(0, '127.0.0.1');
    taken.push(server);
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offshoot-refused-'));
    dataDir = join(folder, 'data');
  });
  afterEach(async () => {
    for (const server of taken.splice(0)) server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('says in one line that the port is taken, before a database is made', async () => {
    const port = await take();
    expect(await up({ PORT: String(port) })).toEqual({
      code: 1,
      stdout: '',
      stderr: `127.0.0.1:${port} is taken; set PORT to another.\n`,
    });
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('[SEC-1] refuses an open host without a key before a database is made', async () => {
    const { code, stderr } = await up({ HOST: '0.0.0.0' });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The configuration cannot be used:\n {2}OFFSHOOT_API_KEY must be set .*HOST=0\.0\.0\.0/,
    );
    expect(stderr.split('\n')).toHaveLength(3);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('says what is wrong with a data directory', async () => {
    await writeFile(dataDir, '');
    expect(await up({})).toMatchObject({
      code: 1,
      stderr: `OFFSHOOT_DATA_DIR ${dataDir} is a file, not a folder (EEXIST).\n`,
    });
    const below = join(dataDir, 'below');
    expect(await up({ OFFSHOOT_DATA_DIR: below })).toMatchObject({
      code: 1,
      stderr: `OFFSHOOT_DATA_DIR ${below} lies below a file (ENOTDIR).\n`,
    });
  });

  it('says that a data directory cannot be written', async () => {
    await chmod(folder, 0o500);
    const settings = { OFFSHOOT_DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' };
    expect(await runCliUnprivileged(['up'], settings)).toMatchObject({
      code: 1,
      stderr: `OFFSHOOT_DATA_DIR ${dataDir} cannot be written (EACCES).\n`,
    });
    await chmod(folder, 0o700);
  });

  it('says that the scripts are no folder', async () => {
    const scripts = join(folder, 'none');
    const { code, stderr } = await up({ OFFSHOOT_SCRIPTS: scripts });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `The configuration cannot be used:\n  OFFSHOOT_SCRIPTS must be a folder of model scripts; ${scripts} is none.\n`,
    );
  });

  it('says in one line that the database does not answer, without its password', async () => {
    expect(await up({ DATABASE_URL: nobody })).toEqual({
      code: 1,
      stdout: '',
      stderr: unreachable,
    });
  });

  it('ends an orchestrator and a worker of their own with code 78, and says why last', async () => {
    const env = { DATABASE_URL: nobody, OFFSHOOT_DATA_DIR: dataDir, PORT: String(await freePort()) };
    const ends = await Promise.all(['orchestrator', 'worker'].map((app) => runProgram(app, env)));
    for (const { code, stderr } of ends) {
      expect(code).toBe(78);
      expect(stderr.trimEnd().split('\n').at(-1)).toBe(unreachable.trimEnd());
    }
    expect(await runProgram('worker', {})).toMatchObject({
      code: 78,
      stderr: 'A worker needs DATABASE_URL; "npm start" runs one together with an embedded database.\n',
    });
  });

  it('gives up on a Redis that was never there, and names the variable', async () => {
    const { code, stdout, stderr } = await up({ REDIS_URL: 'redis://127.0.0.1:9' });
    const lines = stderr.trimEnd().split('\n');
    expect({ code, stdout, last: lines.at(-1) }).toEqual({
      code: 1,
      stdout: '',
      last: 'REDIS_URL names a Redis that cannot be reached: connect ECONNREFUSED 127.0.0.1:9 (tried for 30 s).',
    });
    expect(stderr).not.toContain('    at ');
    // One warning in ten seconds, each a line.
    expect(lines.filter((line) => line.includes('the queue cannot be reached')).length).toBeLessThan(5);
  });
});
