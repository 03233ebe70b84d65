import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { chmod, link, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { edit } from './edit.js';
import { listDirectory } from './list-directory.js';
import { readFileTool } from './read-file.js';
import { callTool, makeSandbox, type Sandbox } from './testing/call-tool.js';
import type { Tool } from './tool.js';
import { writeFileTool } from './write-file.js';

// Processes and disks of a busy machine take their time; nothing here is about speed.
jest.setTimeout(60_000);

let box: Sandbox;
beforeEach(async () => (box = await makeSandbox()));
afterEach(() => box.remove());

const inRoot = (path: string) => join(box.root, path);
const call = (tool: Tool, given: unknown) => callTool(tool, box.root, given);
const read = (path: string, more = {}) => call(readFileTool, { path, ...more });
const write = (path: string, content: string) => call(writeFileTool, { path, content });

describe('read_file', () => {
  it('returns the lines exactly as they are', async () => {
    await writeFile(inRoot('a.txt'), 'one\r\n\ttwo\nthree');
    expect(await read('a.txt')).toEqual({ outcome: 'ok', text: 'one\r\n\ttwo\nthree' });
    expect(await read(inRoot('a.txt'))).toEqual({ outcome: 'ok', text: 'one\r\n\ttwo\nthree' });
  });

  it('returns the lines that were asked for and names the offset to go on with', async () => {
    await writeFile(inRoot('a.txt'), '1\n2\n3\n4\n5\n');
    expect((await read('a.txt', { offset: 2, limit: 2 })).text).toBe(
      '2\n3\n[More follows: go on with offset 4.]',
    );
    expect((await read('a.txt', { offset: 4, limit: 2 })).text).toBe('4\n5\n');
    expect((await read('a.txt', { offset: 9 })).text).toContain('no line 9');
  });

  it('[M15] a file far over the cap is paged at line ends, with nothing lost between pages', async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `line ${index} 😀\n`);
    await writeFile(inRoot('big.txt'), lines.join(''));
    let offset: number | undefined = 1;
    let pieces = '';
    while (offset !== undefined) {
      const { text }: { text: string } = await read('big.txt', { offset, limit: 1_000_000 });
      expect(text.length).toBeLessThan(90_000);
      const next: RegExpExecArray | null = /\[More follows: go on with offset (\d+)\.\]$/.exec(text);
      pieces += next === null ? text : text.slice(0, next.index);
      offset = next === null ? undefined : Number(next[1]);
    }
    expect(pieces).toBe(lines.join(''));
  });

  it('one line longer than a page shows its beginning and lets the rest of the file be read', async () => {
    await writeFile(inRoot('long.txt'), `${'x'.repeat(300_000)}\nafter\n`);
    expect((await read('long.txt')).text).toContain('A line is longer than a page');
    expect((await read('long.txt', { offset: 2 })).text).toBe('after\n');
  });

  it('an empty file and a missing one are told apart', async () => {
    await writeFile(inRoot('empty'), '');
    expect(await read('empty')).toEqual({ outcome: 'ok', text: '[The file is empty.]' });
    expect(await read('missing')).toEqual({ outcome: 'error', text: '"missing" does not exist.' });
    expect(await read('empty/below')).toEqual({
      outcome: 'error',
      text: '"empty/below" lies under something that is not a directory.',
    });
  });

  it('binary files, directories, FIFOs and devices are refused without being read', async () => {
    await writeFile(inRoot('bin'), Buffer.from([1, 0, 2]));
    execFileSync('mkfifo', [inRoot('fifo')]);
    expect((await read('bin')).text).toContain('binary file of 3 bytes');
    expect((await read('.')).text).toContain('is a directory');
    expect((await read('fifo')).text).toContain('not a regular file');
    await symlink('/dev/zero', inRoot('zero'));
    expect((await read('zero')).outcome).toBe('error');
  });
});

describe('confinement', () => {
  it.each(['../outside/secret', '/etc/passwd', 'a/../../outside/secret', '..', '/', '', 'a\0b'])(
    '[T18] the path %j is refused by its letters',
    async (path) => {
      await writeFile(join(box.outside, 'secret'), 'SECRET');
      const results = [await read(path), await write(path, 'x'), await call(listDirectory, { path })];
      for (const result of results) {
        expect(result.outcome).toBe('error');
        expect(result.text).not.toContain('SECRET');
      }
      expect(await readFile(join(box.outside, 'secret'), 'utf8')).toBe('SECRET');
    },
  );

  it('[T18] links that lead out are not followed, to read, list, write, edit or make new files', async () => {
    await writeFile(join(box.outside, 'secret'), 'SECRET');
    await symlink(join(box.outside, 'secret'), inRoot('file-link'));
    await symlink(box.outside, inRoot('folder-link'));
    await symlink(join(box.outside, 'new'), inRoot('dangling'));
    const results = [
      await read('file-link'),
      await read('folder-link/secret'),
      await call(listDirectory, { path: 'folder-link' }),
      await write('file-link', 'x'),
      await write('folder-link/new', 'x'),
      await write('folder-link/deep/er/new', 'x'),
      await write('dangling', 'x'),
      await call(edit, { path: 'file-link', old_string: 'SECRET', new_string: 'x' }),
    ];
    for (const { outcome, text } of results) {
      expect(outcome).toBe('error');
      expect(text).toContain('only paths that end inside the project root are accepted');
    }
    expect(await readdir(box.outside)).toEqual(['secret']);
    expect(await readFile(join(box.outside, 'secret'), 'utf8')).toBe('SECRET');
  });

  it('[T18] a path outside is refused in the same words whether or not something is there', async () => {
    await writeFile(join(box.outside, 'there'), '');
    await symlink(box.outside, inRoot('out'));
    const [there, not] = [await read('out/there'), await read('out/not')];
    expect(there.text.replace('there', 'not')).toBe(not.text);
  });

  it('a link that ends inside is followed and written through, and stays a link', async () => {
    await writeFile(inRoot('real.txt'), 'old');
    await symlink('real.txt', inRoot('alias.txt'));
    expect((await read('alias.txt')).text).toBe('old');
    expect((await write('alias.txt', 'new')).text).toBe('Replaced real.txt (3 bytes).');
    expect((await lstat(inRoot('alias.txt'))).isSymbolicLink()).toBe(true);
    expect(await readFile(inRoot('real.txt'), 'utf8')).toBe('new');
  });

  it('a project root that is itself reached through a link confines all the same', async () => {
    const alias = join(box.outside, 'alias');
    await symlink(box.root, alias);
    await writeFile(inRoot('a'), 'A');
    expect((await callTool(readFileTool, alias, { path: join(alias, 'a') })).text).toBe('A');
    expect((await callTool(readFileTool, alias, { path: '../outside' })).outcome).toBe('error');
  });

  it('a neighbour whose name begins like the root is outside', async () => {
    await mkdir(`${box.root}-other`);
    await writeFile(join(`${box.root}-other`, 'a'), 'A');
    expect((await read(join(`${box.root}-other`, 'a'))).outcome).toBe('error');
  });
});

describe('write_file', () => {
  it('makes missing parents, reports what it did and leaves no temporary file', async () => {
    expect((await write('a/b/c.txt', 'hé')).text).toBe('Created a/b/c.txt (3 bytes).');
    expect(await readFile(inRoot('a/b/c.txt'), 'utf8')).toBe('hé');
    expect(await readdir(inRoot('a/b'))).toEqual(['c.txt']);
  });

  it('replaces as a whole: permissions are kept, and who has the old file open keeps the old file', async () => {
    await writeFile(inRoot('run.sh'), 'old');
    await chmod(inRoot('run.sh'), 0o751);
    await link(inRoot('run.sh'), inRoot('before'));
    await write('run.sh', 'new');
    expect((await stat(inRoot('run.sh'))).mode & 0o777).toBe(0o751);
    expect(await readFile(inRoot('before'), 'utf8')).toBe('old');
  });

  it('a directory, a FIFO or the root is not replaced', async () => {
    await mkdir(inRoot('dir'));
    execFileSync('mkfifo', [inRoot('fifo')]);
    for (const path of ['dir', 'fifo', '.']) expect((await write(path, 'x')).outcome).toBe('error');
    expect((await readdir(box.root)).sort()).toEqual(['dir', 'fifo']);
  });

  it('a name too long is an error result, not a fault', async () =>
    expect((await write('n'.repeat(300), 'x')).text).toContain('too long'));
});

describe('edit', () => {
  const change = (old_string: string, new_string: string, more = {}) =>
    call(edit, { path: 'a.txt', old_string, new_string, ...more });

  it('replaces one exact piece, dollar signs and all', async () => {
    await writeFile(inRoot('a.txt'), 'a b c');
    expect((await change('b', "$& $1 $'")).outcome).toBe('ok');
    expect(await readFile(inRoot('a.txt'), 'utf8')).toBe("a $& $1 $' c");
  });

  it('a piece that is not there, or there more than once, changes nothing', async () => {
    await writeFile(inRoot('a.txt'), 'x x');
    expect((await change('y', 'z')).text).toContain('not found');
    expect((await change('x', 'z')).text).toContain('found 2 times');
    expect((await change('x', 'x')).text).toContain('the same');
    expect((await change('', 'z')).text).toContain('empty');
    expect(await readFile(inRoot('a.txt'), 'utf8')).toBe('x x');
    expect((await change('x', 'z', { replace_all: true })).text).toContain('2 times');
    expect(await readFile(inRoot('a.txt'), 'utf8')).toBe('z z');
  });

  it('bytes that are not UTF-8 are left alone rather than written back changed', async () => {
    const bytes = Buffer.from([0x61, 0xff, 0x62]);
    await writeFile(inRoot('a.txt'), bytes);
    expect((await change('a', 'z')).text).toContain('not UTF-8');
    expect(await readFile(inRoot('a.txt'))).toEqual(bytes);
  });
});

describe('list_directory', () => {
  it('lists names sorted, with marks for what is no file', async () => {
    await mkdir(inRoot('sub'));
    await writeFile(inRoot('b'), '');
    await writeFile(inRoot('.hidden'), '');
    await symlink('b', inRoot('a'));
    expect((await call(listDirectory, {})).text).toBe('.hidden\na (link)\nb\nsub/');
    expect((await call(listDirectory, { path: 'sub' })).text).toBe('[The directory is empty.]');
    expect((await call(listDirectory, { path: 'b' })).text).toContain('not a directory');
  });
});
