import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdir, readdir, readFile, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { anchorOf, openConfinedDirectory, openConfinedFile, openReal } from './confined-handle.js';
import { isInside, locatePath } from './locate-path.js';
import { makeSandbox, type Sandbox } from './testing/call-tool.js';
import { writeConfined } from './write-confined.js';

// Processes and disks of a busy machine take their time; nothing here is about speed.
jest.setTimeout(60_000);

let box: Sandbox;
const inRoot = (path: string) => join(box.root, path);

beforeEach(async () => {
  box = await makeSandbox();
  await mkdir(inRoot('dir/deep'), { recursive: true });
  await writeFile(inRoot('file'), 'inside');
  await writeFile(join(box.outside, 'secret'), 'SECRET');
  await symlink(box.outside, inRoot('out'));
  await symlink('../../outside', inRoot('dir/up'));
  await symlink('dir', inRoot('in'));
  await symlink('circle', inRoot('circle'));
  await symlink('out/later', inRoot('dangling'));
});
afterEach(() => box.remove());

const segment = fc.constantFrom(
  ...[
    '.',
    '..',
    '',
    'dir',
    'deep',
    'file',
    'out',
    'up',
    'in',
    'circle',
    'dangling',
    'secret',
    'new',
    'outside',
    'project',
  ],
);
const anyPath = fc
  .tuple(fc.constantFrom('', '/', './', 'ROOT/', 'ROOT/../outside/'), fc.array(segment, { maxLength: 6 }))
  .map(([start, segments]) => start + segments.join('/'));

/** Renames onto `swap`, where a write may just have made the directory that was missing. */
async function putAtSwap(from: string): Promise<void> {
  for (;;) {
    await rm(inRoot('swap'), { recursive: true, force: true });
    try {
      await rename(inRoot(from), inRoot('swap'));
      return;
    } catch {
      // Made again in between.
    }
  }
}

/** Lets `swap` be by turns a directory, missing, and a link that leads out. */
async function swapUntil(stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await rename(inRoot('swap'), inRoot('aside'));
    await putAtSwap('link');
    await rename(inRoot('swap'), inRoot('link'));
    await putAtSwap('aside');
  }
}

describe('confinement to the project root', () => {
  it('[T18] no path, through whatever letters and links, opens or writes anything outside', async () => {
    await fc.assert(
      fc.asyncProperty(anyPath, async (pattern) => {
        const path = pattern.replace('ROOT', box.root);
        const located = await locatePath(box.root, path);
        if (located.ok) expect(isInside(box.root, located.real)).toBe(true);
        for (const opened of [
          await openConfinedFile(box.root, path),
          await openConfinedDirectory(box.root, path),
        ]) {
          if (!opened.ok) continue;
          expect(isInside(box.root, await realpath(opened.real))).toBe(true);
          expect((await opened.handle.stat()).ino).toBe((await stat(opened.real)).ino);
          await opened.handle.close();
        }
        await writeConfined(box.root, path, 'written');
        expect(await readdir(box.outside)).toEqual(['secret']);
        expect(await readFile(join(box.outside, 'secret'), 'utf8')).toBe('SECRET');
      }),
      { numRuns: 300 },
    );
  });

  it('[T18] a directory that is swapped for a link while files are written and read lets nothing out or in', async () => {
    await mkdir(inRoot('swap'));
    await writeFile(inRoot('swap/secret'), 'harmless');
    await symlink(box.outside, inRoot('link'));
    const stop = new AbortController();
    const swapping = swapUntil(stop.signal);
    const seen = new Set<string>();
    for (let round = 0; round < 300; round += 1) {
      await writeConfined(box.root, 'swap/new', 'x');
      const file = await openConfinedFile(box.root, 'swap/secret');
      if (!file.ok) continue;
      seen.add(await file.handle.readFile('utf8'));
      await file.handle.close();
    }
    stop.abort();
    await swapping;
    expect(await readdir(box.outside)).toEqual(['secret']);
    expect(Array.from(seen).filter((text) => text !== 'harmless')).toEqual([]);
  });

  it('[T18] a link that was put into a path after it was judged is noticed when the path is opened', async () => {
    expect(await openReal(inRoot('out/secret'), 'file')).toBeUndefined();
    await expect(openReal(inRoot('out'), 'directory')).rejects.toThrow();
    await expect(openReal(inRoot('dangling'), 'file')).rejects.toThrow();
  });

  it('[T18] what is reached through an open directory stays what it was, wherever its name leads by then', async () => {
    const directory = await openConfinedDirectory(box.root, 'dir');
    if (!directory.ok) throw new Error(directory.problem);
    await rename(inRoot('dir'), inRoot('moved'));
    await rename(inRoot('out'), inRoot('dir'));
    await writeFile(join(anchorOf(directory), 'new'), 'x');
    await directory.handle.close();
    expect(await readdir(inRoot('moved'))).toContain('new');
    expect(await readdir(box.outside)).toEqual(['secret']);
  });

  it('a file that is not the version that was seen any more is left alone', async () => {
    const seen = await stat(inRoot('file'), { bigint: true });
    await writeFile(inRoot('file'), 'changed by somebody else');
    expect(await writeConfined(box.root, 'file', 'mine', seen)).toEqual({
      ok: false,
      problem: '"file" was changed by somebody else meanwhile: read it again.',
    });
    expect(await readFile(inRoot('file'), 'utf8')).toBe('changed by somebody else');
  });
});
