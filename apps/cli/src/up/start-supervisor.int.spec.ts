import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { isRunning, loadConfig, waitForExit } from '#platform';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundleScript, type BundledScript } from '../../../../test/support/bundle-script.js';
import type { ChildEvent } from './child-event.js';
import { supervisorFile } from './hold-data-dir.js';
import { startSupervisor, type Supervisor } from './start-supervisor.js';
import type { SupervisorPids } from './supervisor-pids.js';
import { fakePrograms, type FakePrograms } from './testing/fake-programs.js';

jest.setTimeout(180_000);

const given = { DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:9/none' };
const backoff = { firstMs: 50, highestMs: 400, healthyMs: 60_000 };

let folder: string;
let dataDir: string;
let fakes: FakePrograms;
let events: ChildEvent[];
let supervisors: Supervisor[];

const start = async (env: NodeJS.ProcessEnv = {}, more: object = {}): Promise<Supervisor> => {
  const config = loadConfig({
    ...given,
    OFFSHOOT_DATA_DIR: dataDir,
    OFFSHOOT_WORKERS: '2',
    PORT: '0',
    ...env,
  });
  const supervisor = await startSupervisor({
    config,
    programs: fakes.programs,
    env: fakes.env,
    output: 'ignore',
    backoff,
    onChild: (event) => events.push(event),
    ...more,
  });
  supervisors.push(supervisor);
  return supervisor;
};
const until = async <T>(look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> => {
  for (let attempt = 0; attempt < 6000; attempt += 1) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    await sleep(20);
  }
  throw new Error('It did not happen.');
};
const allPids = ({ database, orchestrator, modelServer, workers }: SupervisorPids): number[] =>
  [database, orchestrator, modelServer, ...workers].filter((pid) => pid !== undefined);
const record = async (): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(supervisorFile(dataDir), 'utf8')) as Record<string, unknown>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offshoot supervisor '));
  dataDir = join(folder, 'data');
  fakes = await fakePrograms(folder);
  events = [];
  supervisors = [];
});
afterEach(async () => {
  for (const supervisor of supervisors) await supervisor.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('the supervisor', () => {
  it('migrates, then starts the orchestrator, then the workers, and says where it is ready', async () => {
    const supervisor = await start();
    expect((await fetch(`${supervisor.address}/readyz`)).status).toBe(200);
    expect(supervisor.dashboardUrl).toBe(`${supervisor.address}/login?token=once`);
    const lines = await until(async () => {
      const seen = await fakes.lines();
      return seen.length === 4 && seen;
    });
    expect(lines.map((line) => line.role)).toEqual(['migrate', 'orchestrator', 'worker', 'worker']);
    expect(lines.every((line) => line.env?.['DATABASE_URL'] === given.DATABASE_URL)).toBe(true);
    expect(lines.every((line) => line.env?.['OFFSHOOT_DATA_DIR'] === dataDir)).toBe(true);
  });

  it('[SEC-1] tells other tools who runs where in a file of its owner, and names the file of the key', async () => {
    const supervisor = await start();
    expect(await record()).toMatchObject({
      pid: process.pid,
      address: supervisor.address,
      pids: supervisor.pids(),
    });
    expect(JSON.stringify(await record())).not.toContain('secret');
    expect((await stat(supervisorFile(dataDir))).mode & 0o777).toBe(0o600);
    expect(await readFile(supervisor.keyFile ?? '', 'utf8')).toMatch(/^osk_/);
    await supervisor.stop();
    await expect(record()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('[SEC-1] keeps a given key from the workers, which run the tools of agents', async () => {
    const key = 'osk_0123456789abcdef';
    await start({ OFFSHOOT_API_KEY: key });
    const lines = await until(async () => {
      const seen = await fakes.lines();
      return seen.length === 4 && seen;
    });
    const keysOf = (role: string): unknown[] =>
      lines.filter((line) => line.role === role).map((line) => line.env?.['OFFSHOOT_API_KEY']);
    expect(keysOf('orchestrator')).toEqual([key]);
    expect(keysOf('worker')).toEqual([undefined, undefined]);
  });

  it('refuses a second start on the same data directory and says who holds it', async () => {
    const first = await start();
    await expect(start()).rejects.toMatchObject({ code: 'DATA_DIR_HELD', pid: process.pid });
    await expect(start()).rejects.toThrow(first.address);
    expect(await isRunning(first.pids().orchestrator ?? 0)).toBe(true);
  });

  it('[RUN-3] starts a killed worker again, each time later', async () => {
    const supervisor = await start({ OFFSHOOT_WORKERS: '1' });
    for (let death = 1; death <= 3; death += 1) {
      const pid = await until(() => supervisor.pids().workers[0]);
      process.kill(pid, 'SIGKILL');
      await until(() => events.some((event) => event.kind === 'exited' && event.pid === pid));
    }
    await until(() => supervisor.pids().workers[0]);
    const waits = events.map((event) => (event.kind === 'exited' ? event.respawnInMs : undefined));
    expect(waits.filter((wait) => wait !== undefined)).toEqual([50, 100, 200]);
    await until(async () => JSON.stringify((await record())['pids']) === JSON.stringify(supervisor.pids()));
  });

  it('stops workers before the orchestrator, and leaves nothing running', async () => {
    const supervisor = await start();
    const pids = supervisor.pids();
    await until(async () => (await fakes.lines()).length === 4);
    await supervisor.stop();
    const ended = (await fakes.lines()).filter((line) => line.ended !== undefined);
    expect(ended.map((line) => [line.role, line.ended])).toEqual([
      ['worker', 'SIGTERM'],
      ['worker', 'SIGTERM'],
      ['orchestrator', 'SIGTERM'],
    ]);
    expect(await Promise.all(allPids(pids).map(isRunning))).toEqual([false, false, false]);
  });

  it('ends a part that does not end by itself', async () => {
    const supervisor = await start({}, { env: { ...fakes.env, FAKE_DEAF: 'worker' }, stopLimitMs: 300 });
    await until(async () => (await fakes.lines()).length === 4);
    const { workers } = supervisor.pids();
    await supervisor.stop();
    expect((await fakes.lines()).filter((line) => line.deaf === true)).toHaveLength(2);
    expect(await Promise.all(workers.map(isRunning))).toEqual([false, false]);
  });

  it.each(['migrate', 'orchestrator', 'model-server'])(
    'does not start over a %s that fails, and cleans up',
    async (role) => {
      await fakes.fail(role);
      const failing = start(
        { OFFSHOOT_SCRIPTS: folder },
        { readyTimeoutMs: 20_000, modelServerTimeoutMs: 500 },
      );
      await expect(failing).rejects.toMatchObject({ code: 'START_FAILED' });
      await expect(record()).rejects.toMatchObject({ code: 'ENOENT' });
      for (const event of events) expect(await waitForExit(event.pid, 20_000)).toBe(true);
    },
  );

  it('runs the scripted model server on one port, also after its death', async () => {
    const supervisor = await start({ OFFSHOOT_SCRIPTS: folder });
    const lines = await until(async () => {
      const seen = await fakes.lines();
      return seen.length === 5 && seen;
    });
    const worker = lines.find((line) => line.role === 'worker');
    const url = worker?.env?.['OFFSHOOT_SCRIPTED_BASE_URL'] ?? '';
    process.kill(supervisor.pids().modelServer ?? 0, 'SIGKILL');
    await until(
      async () => (await fakes.lines()).filter((line) => line.role === 'model-server').length === 2,
    );
    await until(async () => (await fetch(url).catch(() => undefined))?.status === 200);
    const model = lines.find((line) => line.role === 'model-server');
    expect(model?.started).toEqual(['--port', '0', '--scripts', folder]);
    expect(model?.env?.['DATABASE_URL']).toBeUndefined();
  });
});

describe('the supervisor over the embedded database', () => {
  let script: BundledScript;
  beforeAll(async () => {
    script = await bundleScript(join(import.meta.dirname, 'testing', 'run-supervisor.ts'));
  });
  afterAll(() => script.remove());

  const runAlone = async (more: object = {}): Promise<{ process: ChildProcess; pids: SupervisorPids }> => {
    const order = JSON.stringify({ dataDir, programs: fakes.programs, env: { ...fakes.env, ...more } });
    const child = spawn(process.execPath, [script.path, order], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { process: child, pids: JSON.parse(line) as SupervisorPids };
  };

  it('killed itself, its children end and its next start adopts the database', async () => {
    const alone = await runAlone();
    const { database = 0, orchestrator = 0, workers } = alone.pids;
    alone.process.kill('SIGKILL');
    for (const pid of [orchestrator, ...workers]) expect(await waitForExit(pid, 20_000)).toBe(true);
    expect(await isRunning(database)).toBe(true);
    const next = await start({ DATABASE_URL: '' });
    expect(next.pids().database).toBe(database);
    await next.stop();
    expect(await isRunning(database)).toBe(false);
  });

  it('ends in order on the first signal, and leaves nothing running', async () => {
    const alone = await runAlone();
    alone.process.kill('SIGTERM');
    expect(await once(alone.process, 'exit')).toEqual([0, null]);
    expect(await Promise.all(allPids(alone.pids).map(isRunning))).toEqual([false, false, false, false]);
    await expect(record()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('ends at once on the second signal, and leaves nothing running then either', async () => {
    const alone = await runAlone({ FAKE_DEAF: 'worker' });
    const isDeaf = async (): Promise<boolean> => (await fakes.lines()).some((line) => line.deaf === true);
    await until(async () => (await fakes.lines()).length === 4);
    alone.process.kill('SIGINT');
    await until(isDeaf);
    alone.process.kill('SIGINT');
    expect(await once(alone.process, 'exit')).toEqual([130, null]);
    expect(await Promise.all(allPids(alone.pids).map(isRunning))).toEqual([false, false, false, false]);
    await expect(record()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('starts a killed database again under the same address', async () => {
    const supervisor = await start({ DATABASE_URL: '' });
    const { database = 0, orchestrator } = supervisor.pids();
    process.kill(database, 'SIGKILL');
    const again = await until(() =>
      events.find((event) => event.role === 'database' && event.kind === 'started' && event.pid !== database),
    );
    expect(supervisor.pids()).toMatchObject({ database: again.pid, orchestrator });
    await supervisor.stopNow();
    expect(await isRunning(again.pid)).toBe(false);
  });
});
