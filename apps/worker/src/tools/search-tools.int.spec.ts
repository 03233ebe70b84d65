import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { glob } from './glob.js';
import { grepSearch } from './grep-search.js';
import { countCodePoints } from './output-cap.js';
import { callTool, makeSandbox, type Sandbox } from './testing/call-tool.js';

// Processes and disks of a busy machine take their time; nothing here is about speed.
jest.setTimeout(60_000);

let box: Sandbox;
beforeEach(async () => (box = await makeSandbox()));
afterEach(() => box.remove());

async function put(files: Record<string, string>, base = box.root): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(base, path)), { recursive: true });
    await writeFile(join(base, path), content);
  }
}

const find = (pattern: string, more = {}) => callTool(glob, box.root, { pattern, ...more });
const grep = (pattern: string, more = {}) => callTool(grepSearch, box.root, { pattern, ...more });

describe('glob', () => {
  it('finds files by pattern, sorted, relative to the root, without what is ignored', async () => {
    await put({
      'src/b.ts': '',
      'src/a.ts': '',
      'src/deep/c.ts': '',
      'out/d.ts': '',
      '.gitignore': 'out\n',
      '.hidden.ts': '',
    });
    await put({ '.git/e.ts': '' });
    expect((await find('**/*.ts')).text).toBe('.hidden.ts\nsrc/a.ts\nsrc/b.ts\nsrc/deep/c.ts');
    expect((await find('*.ts', { path: 'src' })).text).toBe('src/a.ts\nsrc/b.ts');
    expect((await find('*.js')).text).toBe('[No file matches.]');
  });

  it.each(['../*', '/etc/*', 'a/../../*', '{..,a}/*', '{a,../outside}/*', '!/etc/*', '..'])(
    '[T18] the pattern %s does not lead out',
    async (pattern) => {
      await put({ secret: '' }, box.outside);
      expect((await find(pattern)).outcome).toBe('error');
    },
  );

  it.each(['out/*', 'out/**', '**/secret', '{out,a}/*', 'o?t/*', 'out/secret', '[o]ut/**', '@(out)/*'])(
    '[T18] the pattern %s finds nothing through a link that leads out',
    async (pattern) => {
      await put({ secret: '' }, box.outside);
      await symlink(box.outside, join(box.root, 'out'));
      expect((await find(pattern)).text).toBe('[No file matches.]');
    },
  );

  it('[M15] more files than are shown are said to be more', async () => {
    await put(Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`f${index}`, ''])));
    const { text } = await find('*');
    expect(text.split('\n')).toHaveLength(1_001);
    expect(text).toContain('[Only the first 1000 files');
  });

  it('[L17] a cancelled search ends in a result', async () => {
    await put(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}/f`, ''])));
    const cancel = new AbortController();
    const result = callTool(glob, box.root, { pattern: '**' }, { signal: cancel.signal });
    cancel.abort();
    expect(await result).toEqual({ outcome: 'error', text: 'Cancelled.' });
  });
});

describe('grep_search', () => {
  it('returns path, line and text of every match, sorted, without what is ignored or binary', async () => {
    await put({
      'b.txt': 'x\nhit 1\n',
      'a/c.txt': 'hit 2\n',
      'out/d': 'hit 3\n',
      '.gitignore': 'out\n',
      bin: 'hit\0',
      '.git/e': 'hit',
    });
    const { outcome, text } = await grep('hit \\d');
    expect({ outcome, text }).toEqual({ outcome: 'ok', text: 'a/c.txt:1:hit 2\nb.txt:2:hit 1\n' });
    expect((await grep('nowhere')).text).toBe('[Nothing matches.]');
  });

  it('narrows by path and glob, ignores case, takes text literally and shows lines around', async () => {
    await put({ 'a/x.ts': 'one\nHIT.\nthree\n', 'a/x.md': 'hit.', 'b/x.ts': 'hit.' });
    expect((await grep('hit', { path: 'a', ignore_case: true, glob: '*.ts' })).text).toBe('a/x.ts:2:HIT.\n');
    expect((await grep('t.', { literal: true, path: 'b/x.ts' })).text).toBe('b/x.ts:1:hit.\n');
    expect((await grep('HIT', { context_lines: 1 })).text).toBe(
      'a/x.ts-1-one\na/x.ts:2:HIT.\na/x.ts-3-three\n',
    );
  });

  it('a pattern or a name that looks like an option is none', async () => {
    await put({ '--pre=sh': '--files\n' });
    expect((await grep('--files')).text).toBe('--pre=sh:1:--files\n');
    expect((await grep('files', { path: '--pre=sh' })).text).toBe('--pre=sh:1:--files\n');
  });

  it('[T18] nothing outside is searched, through links or letters, and the .git folder stays closed', async () => {
    await put({ secret: 'SECRET' }, box.outside);
    await put({ '.git/config': 'SECRET' });
    await symlink(box.outside, join(box.root, 'out'));
    await symlink(join(box.outside, 'secret'), join(box.root, 'file'));
    for (const more of [{}, { glob: '**' }, { glob: '.git/**' }, { glob: '../**' }])
      expect((await grep('SECRET', more)).text).toBe('[Nothing matches.]');
    for (const path of ['out', 'file', 'out/secret', '..', '../outside', '/etc'])
      expect((await grep('SECRET', { path })).text).toContain('accepted');
  });

  it('a FIFO is not waited for, whether named or met', async () => {
    execFileSync('mkfifo', [join(box.root, 'fifo')]);
    expect((await grep('x', { path: 'fifo' })).text).toContain('not a regular file');
    expect((await grep('x')).text).toBe('[Nothing matches.]');
  });

  it('a pattern that is no regular expression is an error result that says so', async () => {
    await put({ a: 'a' });
    const { outcome, text } = await grep('(');
    expect(outcome).toBe('error');
    expect(text).toContain('unclosed group');
  });

  it('[M15] matches without number are capped', async () => {
    await put({ a: `${'hit '.repeat(1_000)}\n`.repeat(1_000) });
    const { text, full } = await grep('hit');
    expect(countCodePoints(text)).toBeLessThanOrEqual(30_000);
    expect(full).toBeDefined();
  });
});
