import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseProfileName, type ProfileName } from '#policy';
import { conformanceTable } from '../testing/conformance-table.js';
import { LocalPolicyFiles } from './local-policy-files.js';

interface Entry {
  readonly path: string;
  readonly content?: string | Uint8Array;
  readonly symlink?: string;
  readonly directory?: boolean;
}
interface Row {
  readonly id: string;
  readonly profile: string;
  readonly content?: string | Uint8Array;
  readonly tree?: readonly Entry[];
  readonly expect:
    | { readonly ok: true; readonly tools: readonly string[]; readonly promptHint: string | null }
    | { readonly ok: false; readonly reason: string };
}

const rows = conformanceTable<readonly Row[]>('profile-files.json');
let home = '';
let projectRoot = '';
let profiles = '';

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'policy-files-'));
  projectRoot = join(home, 'project');
  profiles = join(projectRoot, '.qwen', 'fork-profiles');
  await mkdir(profiles, { recursive: true });
});
afterEach(() => rm(home, { recursive: true, force: true }));

const files = () => new LocalPolicyFiles({ userFolder: join(home, 'user') });
const trust = (fields: { safeMode?: boolean; bareMode?: boolean } = {}) => ({
  projectRoot,
  safeMode: false,
  bareMode: false,
  ...fields,
});

async function plant(folder: string, entry: Entry): Promise<void> {
  const path = join(folder, entry.path);
  if (entry.directory === true) await mkdir(path);
  else if (entry.symlink !== undefined) await symlink(entry.symlink, path);
  else await writeFile(path, entry.content ?? '');
}

function nameOf(text: string): ProfileName {
  const name = parseProfileName(text);
  if (!name.ok) throw new Error(name.rejection.message);
  return name.value;
}

describe('profiles', () => {
  it.each(rows)('[T18] [T20] conformance $id', async ({ profile, content, tree, expect: wanted }) => {
    const planted = tree ?? [{ path: `${profile}.md`, content: content ?? '' }];
    for (const entry of planted) await plant(profiles, entry);
    const read = await files().readProfile(trust(), nameOf(profile));
    if (!wanted.ok) {
      expect(read).toMatchObject({ ok: false, rejection: { reason: wanted.reason } });
      return;
    }
    if (!read.ok) throw new Error(read.rejection.message);
    expect(read.value.tools.entries.map(({ text }) => text)).toEqual(wanted.tools);
    expect(read.value.promptHint ?? null).toBe(wanted.promptHint);
  });

  it('the conformance table brings files and trees', () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter(({ tree }) => tree !== undefined).length).toBeGreaterThan(3);
  });

  it('bare mode refuses first, then safe mode, and no file is looked at', async () => {
    const name = nameOf('aa');
    expect(await files().readProfile(trust({ bareMode: true, safeMode: true }), name)).toMatchObject({
      rejection: { code: 'BARE_MODE' },
    });
    expect(await files().readProfile(trust({ safeMode: true }), name)).toMatchObject({
      rejection: { code: 'SAFE_MODE' },
    });
  });

  it('the folder of profiles can be configured', async () => {
    await plant(projectRoot, { path: 'aa.md', content: '---\nname: aa\ntools: []\n---\n' });
    const configured = new LocalPolicyFiles({ profileFolder: '.' });
    expect((await configured.readProfile(trust(), nameOf('aa'))).ok).toBe(true);
    expect((await files().readProfile(trust(), nameOf('aa'))).ok).toBe(false);
  });
});

describe('definitions', () => {
  const definition = (name: string, description: string) =>
    `---\nname: ${name}\ndescription: ${description}\ntools: [read]\n---\nLook.\n`;
  const projectFolder = () => join(projectRoot, '.qwen', 'agents');
  const tierOf = async (name: string, from = trust()) => {
    const found = await files().readDefinition(from, name);
    return found.ok ? found.value.tier : found.rejection.code;
  };

  beforeEach(async () => {
    await mkdir(projectFolder(), { recursive: true });
    await mkdir(join(home, 'user'));
  });

  it('later tiers win: bundled, user, project', async () => {
    expect(await tierOf('explorer')).toBe('bundled');
    await plant(join(home, 'user'), { path: 'explorer.md', content: definition('explorer', 'mine') });
    expect(await tierOf('explorer')).toBe('user');
    await plant(projectFolder(), { path: 'explorer.md', content: definition('explorer', 'ours') });
    expect(await tierOf('explorer')).toBe('project');
  });
  it('safe and bare mode read bundled definitions alone, and say why another one is not read', async () => {
    await plant(projectFolder(), { path: 'explorer.md', content: definition('explorer', 'ours') });
    await plant(projectFolder(), { path: 'auditor.md', content: definition('auditor', 'ours') });
    expect(await tierOf('explorer', trust({ safeMode: true }))).toBe('bundled');
    expect(await tierOf('auditor', trust({ safeMode: true }))).toBe('SAFE_MODE');
    expect(await tierOf('auditor', trust({ bareMode: true }))).toBe('BARE_MODE');
    expect(await tierOf('auditor')).toBe('project');
  });
  it.each<[string, Entry]>([
    ['malformed', { path: 'explorer.md', content: '---\nname: explorer\n---\n' }],
    ['called something else', { path: 'explorer.md', content: definition('other', 'x') }],
    ['a directory', { path: 'explorer.md', directory: true }],
    ['a link out of its folder', { path: 'explorer.md', symlink: '../../secret.md' }],
  ])(
    'a requested definition that is %s is refused, and no other tier stands in for it',
    async (_what, entry) => {
      await writeFile(join(projectRoot, 'secret.md'), definition('explorer', 'x'));
      await plant(projectFolder(), entry);
      expect(await tierOf('explorer')).toBe('DEFINITION_INVALID');
    },
  );
  it('a name that is no file name reaches no path', async () => {
    await writeFile(join(projectRoot, 'secret.md'), definition('secret', 'x'));
    for (const name of ['../../secret', '/etc/passwd', 'a/b', '.', '', 'x'.repeat(5_000_000)]) {
      const found = await files().readDefinition(trust(), name);
      expect(found).toMatchObject({ ok: false, rejection: { code: 'DEFINITION_INVALID' } });
      if (!found.ok) expect(found.rejection.message.length).toBeLessThan(400);
    }
  });
});
