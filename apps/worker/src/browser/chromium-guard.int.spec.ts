import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { bundleScript, type BundledScript } from '../../../../test/support/bundle-script.js';
import { chromiumForTests } from '../../../../test/support/chromium.js';
import { runningOf, until } from '../tools/testing/processes.js';
import { startWebSite, type WebSite } from './testing/web-site.js';

jest.setTimeout(120_000);

const executablePath = chromiumForTests('the end of a browser with its worker');

/** The processes below one, all generations of them, and those of their groups. */
async function below(pid: number): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(pids.map(statOf));
  const found = new Set([pid]);
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const { pid: own, parent, group } of stats)
      if (found.has(parent) || (group !== 0 && found.has(group))) found.add(own);
  }
  found.delete(pid);
  return [...found];
}

async function statOf(pid: number): Promise<{ pid: number; parent: number; group: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, parent = 0, group = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { pid, parent, group };
}

(executablePath === null ? describe.skip : describe)('a browser', () => {
  let site: WebSite;
  let owner: BundledScript;
  let folder: string;
  let child: ChildProcess;
  let pids: readonly number[];

  beforeAll(async () => {
    site = await startWebSite();
    owner = await bundleScript(join(import.meta.dirname, 'testing/browser-owner.ts'));
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offshoot-browser-owner-'));
    child = spawn(process.execPath, [owner.path, executablePath ?? '', `${site.address}/other`], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
    expect(line.toString()).toBe('open\n');
    pids = await below(child.pid ?? 0);
    expect(pids.length).toBeGreaterThan(4);
    expect(await readdir(folder)).toHaveLength(1);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  afterAll(async () => {
    await owner.remove();
    await site.stop();
  });

  const expectNothingLeft = async (): Promise<void> => {
    await until(async () => (await runningOf(pids)).length === 0);
    await until(async () => (await readdir(folder)).length === 0);
  };

  it('[M13] leaves no process and no file behind a worker that is killed', async () => {
    child.kill('SIGKILL');
    await expectNothingLeft();
  });

  it('[M13] is killed with its worker even when it has stopped answering', async () => {
    const names = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/comm`, 'utf8')));
    const frozen = pids.filter((_pid, index) => names[index]?.startsWith('chrom'));
    expect(frozen.length).toBeGreaterThan(3);
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    child.kill('SIGKILL');
    await expectNothingLeft();
  });

  it('leaves nothing behind a worker that ends in order, at the moment it has ended', async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(await runningOf(pids)).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });
});
