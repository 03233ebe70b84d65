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

const atRoot = () => ({ projectRoot: box.root, folder: box.root, guarded: [] });

const asks = async (builtIn: string | null, args: unknown): Promise<boolean> =>
  (await inspectTarget({ builtIn, readOnly: false }, args, atRoot())).protectedPaths.length > 0;
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
      const target = await inspectTarget({ builtIn: 'edit', readOnly: false }, { path }, atRoot());
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
    const target = await inspectTarget({ builtIn: 'edit', readOnly: false }, { path: 'out/a' }, atRoot());
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
    const target = await inspectTarget({ builtIn: null, readOnly: true }, { path: '.git/config' }, atRoot());
    expect(target.protectedPaths).toEqual([]);
  });
});

describe('[POL-5] an agent that works in a folder of the project', () => {
  const inSrc = () => ({ projectRoot: box.root, folder: join(box.root, 'src'), guarded: [] });
  const editAt = async (path: string) => {
    await mkdir(join(box.root, 'src'), { recursive: true });
    return inspectTarget({ builtIn: 'edit', readOnly: false }, { path }, inSrc());
  };

  it('is held to rules that speak of the project root', async () => {
    expect(await editAt('a.ts')).toMatchObject({ insideWorkspace: true, paths: ['src/a.ts'] });
    expect(await editAt('.qwen/a')).toMatchObject({ protectedPaths: ['src/.qwen/a'] });
  });

  it('has the rest of the project outside its workspace, and what is protected there still asks', async () => {
    expect(await editAt('../b.ts')).toMatchObject({ insideWorkspace: false, paths: ['b.ts'] });
    expect(await editAt('../.git/config')).toMatchObject({ protectedPaths: ['.git/config'] });
  });

  it.each([
    'echo x > ../.git/config',
    'cd .. && echo x > QWEN.md',
    'rm -rf ..',
    'mv ../../project elsewhere',
  ])('is asked about the command %s', async (command) => {
    await mkdir(join(box.root, 'src'));
    const shell = { builtIn: 'run_shell_command', readOnly: false };
    const { protectedPaths } = await inspectTarget(shell, { command }, inSrc());
    expect(protectedPaths).not.toEqual([]);
  });
});

describe("the operator's own files, where they lie inside a project", () => {
  const guarded = () => [join(box.root, 'ops', 'offshoot.yml'), join(box.root, 'ops', 'check.sh')];
  const asked = async (builtIn: string, args: unknown) => {
    await mkdir(join(box.root, 'ops'), { recursive: true });
    for (const path of guarded()) await writeFile(path, '');
    const place = { projectRoot: box.root, folder: box.root, guarded: guarded() };
    return (await inspectTarget({ builtIn, readOnly: false }, args, place)).protectedPaths.length > 0;
  };

  it.each(['ops/offshoot.yml', './ops/../ops/check.sh', 'link'])('an edit of %s asks', async (path) => {
    await symlink(join(box.root, 'ops', 'check.sh'), join(box.root, 'link'));
    expect(await asked('write_file', { path, content: '' })).toBe(true);
    expect(await asked('write_file', { path: 'ops/other.yml', content: '' })).toBe(false);
  });

  it.each([
    'echo > ops/check.sh',
    'cd ops && rm check.sh',
    'rm -r ops',
    'mv ops elsewhere',
    'tee "ops/off"shoot.yml',
  ])('the command %s asks', async (command) => {
    expect(await asked('run_shell_command', { command })).toBe(true);
    expect(await asked('run_shell_command', { command: 'echo > ops/other.yml' })).toBe(false);
  });
});
