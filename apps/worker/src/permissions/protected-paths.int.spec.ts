import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSandbox, type Sandbox } from '../tools/testing/call-tool.js';
import { inspectTarget } from './protected-paths.js';

let box: Sandbox;
beforeEach(async () => {
  box = await makeSandbox();
});
afterEach(() => box.remove());

const asks = async (builtIn: string | null, args: unknown): Promise<boolean> =>
  (await inspectTarget({ builtIn, readOnly: false }, args, box.root)).protectedPaths.length > 0;
const editAsks = (path: string): Promise<boolean> => asks('edit', { path });

describe('an edit', () => {
  it.each([
    '.git/config',
    '.GIT/config',
    './.git/../.git/config',
    'src/../.mcp.json',
    '.qwen/fork-profiles/a.md',
    '.offshoot/x',
    'QWEN.md',
    'Agents.MD',
    'packages/a/.git/config',
    'packages/a/CLAUDE.md',
    'packages/a/.qwen/agents/x.md',
  ])('of %s always asks', async (path) => {
    expect(await editAsks(path)).toBe(true);
  });

  it.each(['src/a.ts', 'git/config', '.github/workflows/a.yml', 'docs/agents.md.txt', 'qwen.mdx'])(
    'of %s asks no more than any other',
    async (path) => {
      expect(await editAsks(path)).toBe(false);
      const target = await inspectTarget({ builtIn: 'edit', readOnly: false }, { path }, box.root);
      expect(target).toMatchObject({ insideWorkspace: true, paths: [path] });
    },
  );

  it('is seen through links: to a protected folder, from a protected name, out of the workspace', async () => {
    await mkdir(join(box.root, '.git'));
    await writeFile(join(box.root, 'plain.txt'), '');
    await symlink(join(box.root, '.git'), join(box.root, 'innocent'));
    await symlink(join(box.root, 'plain.txt'), join(box.root, 'AGENTS.md'));
    await symlink(box.outside, join(box.root, 'out'));
    expect(await editAsks('innocent/hooks/new')).toBe(true);
    expect(await editAsks('AGENTS.md')).toBe(true);
    const target = await inspectTarget({ builtIn: 'edit', readOnly: false }, { path: 'out/a' }, box.root);
    expect(target.insideWorkspace).toBe(false);
  });
});

describe('a command', () => {
  it.each([
    'echo x > .git/config',
    'echo x >.GIT/config',
    'cat .mcp.json',
    'cd .git && rm HEAD',
    'rm -rf ./.qwen',
    'tee "AGENTS.md"',
    'cp a packages/b/QWEN.md',
    'sed -i s/a/b/ $(pwd)/.offshoot/x',
    "printf x>'.git'",
  ])('that names a protected path always asks: %s', async (command) => {
    expect(await asks('run_shell_command', { command })).toBe(true);
  });

  it.each(['git status', 'ls .github', 'cat agents.md.bak', 'echo my.git'])(
    '%s does not',
    async (command) => {
      expect(await asks('run_shell_command', { command })).toBe(false);
    },
  );
});

describe('a call of a tool of a server', () => {
  it('always asks when one of its texts is a protected path, wherever it stands and however deep', async () => {
    expect(await asks(null, { path: '/srv/project/.git/config' })).toBe(true);
    expect(await asks(null, { files: [{ to: 'C:\\work\\.QWEN\\a' }] })).toBe(true);
    expect(await asks(null, { path: 'src/a.ts', note: 'about git' })).toBe(false);
    let deep: unknown = '.mcp.json';
    for (let depth = 0; depth < 10_000; depth += 1) deep = [deep];
    expect(await asks(null, deep)).toBe(true);
  });

  it('is of no concern when the tool only reads', async () => {
    const target = await inspectTarget({ builtIn: null, readOnly: true }, { path: '.git/config' }, box.root);
    expect(target.protectedPaths).toEqual([]);
  });
});
