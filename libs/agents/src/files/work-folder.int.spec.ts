import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findWorkFolder } from './work-folder.js';

let base: string;
let root: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'offshoot-folder-')));
  root = join(base, 'project');
  await mkdir(join(root, 'src', 'deep'), { recursive: true });
  await mkdir(join(root, '.git', 'hooks'), { recursive: true });
  await mkdir(join(base, 'project-other'));
  await writeFile(join(root, 'file.txt'), '');
});
afterEach(() => rm(base, { recursive: true, force: true }));

const problemOf = async (workingDir: string | null, projectRoot = root): Promise<string> => {
  const found = await findWorkFolder(projectRoot, workingDir);
  return found.ok ? `found ${found.folder}` : found.problem;
};

describe('the folder that an agent works in', () => {
  it('is the project root as it was given, where none is named', async () => {
    await symlink(root, join(base, 'link'));
    expect(await problemOf(null, join(base, 'link'))).toBe(`found ${join(base, 'link')}`);
  });

  it('is a folder inside the project, by its real path', async () => {
    await symlink(join(root, 'src'), join(root, 'alias'));
    expect(await problemOf('src/deep')).toBe(`found ${join(root, 'src', 'deep')}`);
    expect(await problemOf('alias/deep')).toBe(`found ${join(root, 'src', 'deep')}`);
  });

  it.each(['gone', 'file.txt', 'src/\0', 'a'.repeat(300)])('is not %j, which is no folder', async (name) => {
    expect(await problemOf(name)).toContain('is not a folder in');
  });

  it('is nowhere when the project root is gone', async () => {
    expect(await problemOf('src', join(base, 'gone'))).toContain('is not a folder here');
  });

  it.each(['..', '../project-other', 'out', 'src/up', 'src/root'])(
    'does not lead out of the project, nor out of a folder on the way: %s',
    async (name) => {
      await symlink(join(base, 'project-other'), join(root, 'out'));
      await symlink(base, join(root, 'src', 'up'));
      await symlink(root, join(root, 'src', 'root'));
      expect(await problemOf(name)).toContain('leads outside');
    },
  );

  it.each(['.git', '.git/hooks', '.GIT/hooks', 'hooks', '.qwen'])(
    'is never a protected one, however it is called: %s',
    async (name) => {
      await symlink(join(root, '.git', 'hooks'), join(root, 'hooks'));
      await symlink(join(root, 'src'), join(root, '.qwen'));
      await mkdir(join(root, '.GIT', 'hooks'), { recursive: true });
      expect(await problemOf(name)).toContain('is protected');
    },
  );
});
