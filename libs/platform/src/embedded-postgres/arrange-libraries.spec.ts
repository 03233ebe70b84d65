import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arrangeLibraries } from './arrange-libraries.js';

describe('the libraries of the embedded PostgreSQL', () => {
  let folder: string;
  const listed = (links: readonly { source: string; target: string }[]): Promise<void> =>
    writeFile(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));
  const arrange = (): Promise<Record<string, string>> => arrangeLibraries(folder, join(folder, 'spare'));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offshoot libraries '));
    await mkdir(join(folder, 'native', 'lib'), { recursive: true });
    await writeFile(join(folder, 'native', 'lib', 'libx.so.1.2'), 'x');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('get the names that no install script made, in the package itself', async () => {
    await listed([{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }]);
    expect(await arrange()).toEqual({});
    expect(await readFile(join(folder, 'native', 'lib', 'libx.so.1'), 'utf8')).toBe('x');
    expect(await arrange()).toEqual({});
  });

  it('get them elsewhere when the package cannot be written, and the programs are told where', async () => {
    await listed([{ source: 'native/lib/libx.so.1.2', target: 'native/closed/libx.so.1' }]);
    const spare = join(folder, 'spare');
    expect(Object.values(await arrange())).toEqual([`${spare}:${join(folder, 'native', 'lib')}`]);
    expect(await readFile(join(spare, 'libx.so.1'), 'utf8')).toBe('x');
    expect(await readdir(spare)).toEqual(['libx.so.1']);
    expect(Object.keys(await arrange())).toHaveLength(1);
  });

  it('are left alone when the package lists none', async () => {
    expect(await arrange()).toEqual({});
  });
});
