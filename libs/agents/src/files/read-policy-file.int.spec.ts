import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type PolicyFolder, readPolicyFile } from './read-policy-file.js';

const secret = 'a line that lies outside';
let home = '';
let project = '';
let folder = '';

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'policy-file-'));
  project = join(home, 'project');
  folder = join(project, 'profiles');
  await mkdir(folder, { recursive: true });
  await writeFile(join(home, 'secret.md'), secret);
});
afterEach(() => rm(home, { recursive: true, force: true }));

const inProject = (): PolicyFolder => ({ within: project, folder });
const read = (name = 'aa.md', max = 100, where = inProject()) => readPolicyFile(where, name, max);
const inside = (name = 'aa.md') => join(folder, name);

describe('what is read', () => {
  it('a regular file comes back byte for byte, an empty one too', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 0xef, 0xbb, 0xbf]);
    await writeFile(inside(), bytes);
    await writeFile(inside('bb.md'), '');
    expect(await read()).toEqual({ ok: true, bytes });
    expect(await read('bb.md')).toEqual({ ok: true, bytes: Buffer.alloc(0) });
  });
  it('a file of exactly the limit is read, one byte more is too large', async () => {
    await writeFile(inside(), 'x'.repeat(100));
    expect((await read()).ok).toBe(true);
    await writeFile(inside(), 'x'.repeat(101));
    expect(await read()).toEqual({ ok: false, fault: 'too_large' });
  });
  it('a link that ends inside the folder is followed, over another link too', async () => {
    await mkdir(join(folder, 'deep'));
    await writeFile(join(folder, 'deep', 'real.md'), 'here');
    await symlink('deep/real.md', inside('middle.md'));
    await symlink('middle.md', inside());
    expect(await read()).toEqual({ ok: true, bytes: Buffer.from('here') });
  });
  it('a project that is itself reached over a link is a project', async () => {
    await writeFile(inside(), 'here');
    await symlink(project, join(home, 'alias'));
    const where = { within: join(home, 'alias'), folder: join(home, 'alias', 'profiles') };
    expect((await read('aa.md', 100, where)).ok).toBe(true);
  });
});

describe('[T18] what is not read', () => {
  it.each([
    ['by a relative link', '../../secret.md'],
    ['by a link to a sibling of the folder whose name begins like it', '../profiles-of-others/aa.md'],
    ['by a link into the system', '/etc/passwd'],
  ])('a file outside, reached %s', async (_how, target) => {
    await mkdir(join(project, 'profiles-of-others'));
    await writeFile(join(project, 'profiles-of-others', 'aa.md'), secret);
    await symlink(target, inside());
    expect(await read()).toEqual({ ok: false, fault: 'outside' });
  });
  it('a folder that is a link out of the project', async () => {
    await rm(folder, { recursive: true });
    await mkdir(join(home, 'elsewhere'));
    await writeFile(join(home, 'elsewhere', 'aa.md'), secret);
    await symlink(join(home, 'elsewhere'), folder);
    expect(await read()).toEqual({ ok: false, fault: 'outside' });
    expect((await read('aa.md', 100, { within: null, folder })).ok).toBe(true);
  });
  it.each<[string, () => Promise<unknown>, string]>([
    ['a file that is not there', () => Promise.resolve(), 'missing'],
    ['a dangling link', () => symlink('gone.md', inside()), 'missing'],
    ['a link to itself', () => symlink('aa.md', inside()), 'unreadable'],
    ['a directory', () => mkdir(inside()), 'not_a_file'],
    ['a link to the folder', () => symlink('.', inside()), 'not_a_file'],
    ['a device', () => symlink('/dev/zero', inside()), 'not_a_file'],
    ['a FIFO that nobody writes to', () => Promise.resolve(execFileSync('mkfifo', [inside()])), 'not_a_file'],
  ])('%s', async (_what, plant, fault) => {
    await plant();
    expect(await read()).toEqual({ ok: false, fault });
  });
  it('a socket', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(inside(), resolve));
    const file = await read();
    await new Promise((resolve) => server.close(resolve));
    expect(file).toEqual({ ok: false, fault: 'not_a_file' });
  });
  it('a file that may not be read, unless the reader may read everything', async () => {
    await writeFile(inside(), 'here');
    await chmod(inside(), 0);
    const isRoot = process.getuid?.() === 0;
    expect((await read()).ok).toBe(isRoot);
  });
  it('a folder that is not there, or is a file', async () => {
    expect(await read('aa.md', 100, { within: project, folder: join(project, 'gone') })).toEqual({
      ok: false,
      fault: 'missing',
    });
    await writeFile(inside(), 'here');
    expect(await read('bb.md', 100, { within: project, folder: inside() })).toEqual({
      ok: false,
      fault: 'missing',
    });
  });
});

describe('[T18] a swap between the open and the check', () => {
  // Runs beside the reader, not in turns with it: only then does a swap fall between any two of its steps.
  const swapper = `
    const { renameSync, symlinkSync, writeFileSync } = require('node:fs');
    const { path } = require('node:worker_threads').workerData;
    for (let turn = 0; ; turn += 1) {
      const next = path + '-' + turn;
      if (turn % 2 === 0) symlinkSync('../../secret.md', next);
      else writeFileSync(next, 'honest');
      renameSync(next, path);
    }`;

  it('never lets out a byte from outside', async () => {
    await writeFile(inside(), 'honest');
    const worker = new Worker(swapper, { eval: true, workerData: { path: inside() } });
    const seen = new Set<string>();
    try {
      for (let round = 0; round < 1_500; round += 1) {
        const file = await read();
        seen.add(file.ok ? Buffer.from(file.bytes).toString() : file.fault);
      }
    } finally {
      await worker.terminate();
    }
    expect([...seen].filter((what) => what !== 'honest' && what !== 'outside')).toEqual([]);
    // Both sides of the swap were met, so there was a race.
    expect(seen.size).toBe(2);
  }, 60_000);
});
