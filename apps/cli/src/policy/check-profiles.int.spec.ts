import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkProfiles } from './check-profiles.js';
import { printProfiles } from './print-profiles.js';
import { paintFor } from './terminal.js';
import { UsageError } from './usage-error.js';

let project: string;
let folder: string;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'offshoot-profiles-'));
  folder = join(project, '.qwen', 'fork-profiles');
  await mkdir(folder, { recursive: true });
});
afterEach(() => rm(project, { recursive: true }));

const check = (root: string) => checkProfiles(root, '.qwen/fork-profiles');
const put = (file: string, content: string): Promise<void> => writeFile(join(folder, file), content);

describe('profiles check', () => {
  it('reads every file as a launch would, and names the line of each fault', async () => {
    await put('sound.md', '---\nname: sound\ntools: [read_file]\n---\n');
    await put('starred.md', '---\nname: starred\ntools:\n  - read_file\n  - "*"\n---\n');
    await put('x.md', '---\nname: x\ntools: []\n---\n');
    await put('notes.txt', 'not a profile');
    const checked = await check(project);
    expect(checked.ignored).toEqual(['notes.txt']);
    expect(checked.profiles).toMatchObject([
      { path: '.qwen/fork-profiles/sound.md', ok: true, tools: ['read_file'] },
      {
        path: '.qwen/fork-profiles/starred.md',
        ok: false,
        code: 'PROFILE_FILE_INVALID',
        lines: [5],
        offenders: ['*'],
      },
      { path: '.qwen/fork-profiles/x.md', ok: false, code: 'PROFILE_NAME_INVALID', lines: [] },
    ]);
    const printed = printProfiles(checked, paintFor(false));
    expect(printed).toContain('.qwen/fork-profiles/starred.md:5: PROFILE_FILE_INVALID: ');
    expect(printed).toContain('3 profiles, 2 bad.');
  });

  it('[T18] quotes no byte of a file that a link leads out to', async () => {
    await writeFile(join(project, 'secret.md'), '---\nname: secret\ntools: ["s3cr3t *"]\n---\n');
    await symlink(join(project, 'secret.md'), join(folder, 'secret.md'));
    const checked = await check(project);
    expect(checked.profiles).toMatchObject([{ ok: false, lines: [] }]);
    expect(JSON.stringify(checked)).not.toContain('s3cr3t');
  });

  it('looks where profiles are configured to be', async () => {
    await mkdir(join(project, '.qwen', 'forks'));
    await writeFile(join(project, '.qwen', 'forks', 'aa.md'), '---\nname: aa\ntools: []\n---\n');
    expect((await checkProfiles(project, '.qwen/forks')).profiles).toMatchObject([
      { path: '.qwen/forks/aa.md', ok: true, tools: [] },
    ]);
  });

  it('finds no profiles in a project without them, and refuses a project that is not there', async () => {
    await rm(folder, { recursive: true });
    expect((await check(project)).profiles).toEqual([]);
    await expect(check(join(project, 'nowhere'))).rejects.toThrow(UsageError);
  });
});
