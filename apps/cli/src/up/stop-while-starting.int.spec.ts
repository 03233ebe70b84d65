import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleScript, type BundledScript } from '../../../../test/support/bundle-script.js';
import { isAnyProcess, until } from '../../../../test/support/e2e/processes.js';
import { supervisorFile } from './hold-data-dir.js';
import { fakePrograms, type FakePrograms } from './testing/fake-programs.js';

jest.setTimeout(180_000);

describe('a start that is stopped', () => {
  let script: BundledScript;
  let folder: string;
  let dataDir: string;
  let fakes: FakePrograms;
  let written: string;

  beforeAll(async () => {
    script = await bundleScript(join(import.meta.dirname, 'testing', 'run-supervisor.ts'));
  });
  afterAll(() => script.remove());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offshoot-stopped-'));
    dataDir = join(folder, 'data');
    fakes = await fakePrograms(folder);
    written = '';
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const run = (): ChildProcess => {
    const order = JSON.stringify({ dataDir, programs: fakes.programs, env: fakes.env });
    const child = spawn(process.execPath, [script.path, order], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (written += text));
    return child;
  };
  const untilInitdb = (): Promise<void> => until('initdb', () => isAnyProcess(`--pgdata=${dataDir}`));
  const untilServer = (): Promise<void> =>
    until('the server', () => Promise.resolve(existsSync(join(dataDir, 'postgres/server.log'))));
  const expectNothingLeft = async (): Promise<void> => {
    expect(await isAnyProcess(dataDir)).toBe(false);
    expect(existsSync(supervisorFile(dataDir))).toBe(false);
    expect((await readdir(dataDir)).filter((name) => name.includes('.new-'))).toEqual([]);
  };

  it('ends at the first signal while the cluster is made, without a word of initdb', async () => {
    const child = run();
    await untilInitdb();
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(written).toBe('Stopping; once more to stop at once.\n');
    await expectNothingLeft();
  });

  it.each([
    ['the cluster is made', untilInitdb],
    ['the server starts', untilServer],
  ])('leaves no database behind at a second signal while %s', async (_when, reached) => {
    const child = run();
    // Asked for now: the first stop may be done before the second signal is sent.
    const ended = once(child, 'exit');
    await reached();
    child.kill('SIGINT');
    await until('the first signal to be heard', () => Promise.resolve(written.includes('once more')));
    child.kill('SIGINT');
    const [code] = (await ended) as [number];
    expect([0, 130]).toContain(code);
    await expectNothingLeft();
  });

  it('stops in order when the reader of its output went away', async () => {
    const child = run();
    child.stdout?.destroy();
    expect(await once(child, 'exit')).toEqual([0, null]);
    await expectNothingLeft();
  });
});
