import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operatorFiles } from './operator-files.js';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'offshoot-operator-')));
  for (const name of ['offshoot.yml', 'check.sh', 'a b.py']) await writeFile(join(folder, name), '');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('are its file and what its hooks name, beside it or anywhere, by real paths', async () => {
  await symlink(join(folder, 'check.sh'), join(folder, 'link.sh'));
  const commands = ['sh ./link.sh --strict', 'python3 "a b.py" && ./check.sh', `${folder}/gone.sh`];
  const hooks = [...commands.map((command) => ({ command })), {}];
  expect(operatorFiles(hooks, join(folder, 'offshoot.yml'))).toEqual(
    ['offshoot.yml', 'check.sh', 'a b.py'].map((name) => join(folder, name)),
  );
});

it('are none where there is no file of an operator', () => {
  expect(operatorFiles([{ command: './check.sh' }], undefined)).toEqual([]);
});
