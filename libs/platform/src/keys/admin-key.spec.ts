import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adminKeyFile, readOrMakeAdminKey } from './admin-key.js';
import { hashKey, isApiKey, newApiKey } from './api-key.js';

describe('the admin key', () => {
  let dataDir: string;
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

  beforeEach(async () => {
    dataDir = join(await mkdtemp(join(tmpdir(), 'offshoot-keys-')), 'data');
  });
  afterEach(() => rm(join(dataDir, '..'), { recursive: true, force: true }));

  it('[SEC-1] is made on the first start, readable by its owner alone, and stays the same', async () => {
    const first = await readOrMakeAdminKey(dataDir);
    expect(isApiKey(first.key)).toBe(true);
    expect(first.source).toBe('file');
    expect(await modeOf(adminKeyFile(dataDir))).toBe(0o600);
    expect(await modeOf(dataDir)).toBe(0o700);
    expect(await readOrMakeAdminKey(dataDir)).toEqual(first);
    expect(await readdir(dataDir)).toEqual(['admin.key']);
  });

  it('[SEC-1] is closed again when somebody opened its file', async () => {
    await readOrMakeAdminKey(dataDir);
    await chmod(adminKeyFile(dataDir), 0o644);
    await readOrMakeAdminKey(dataDir);
    expect(await modeOf(adminKeyFile(dataDir))).toBe(0o600);
  });

  it('is the given one when one is given, and then no file is made', async () => {
    const key = newApiKey();
    expect(await readOrMakeAdminKey(dataDir, key)).toEqual({ key, source: 'environment' });
    await expect(stat(dataDir)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is one key for first starts that happen at once', async () => {
    const keys = await Promise.all([readOrMakeAdminKey(dataDir), readOrMakeAdminKey(dataDir)]);
    expect(keys[0]).toEqual(keys[1]);
  });

  it('is not replaced silently when its file holds something else', async () => {
    await readOrMakeAdminKey(dataDir);
    await writeFile(adminKeyFile(dataDir), 'truncat');
    await expect(readOrMakeAdminKey(dataDir)).rejects.toThrow(/does not hold a key/);
  });
});

describe('an API key', () => {
  it('is never the same twice', () => {
    expect(newApiKey()).not.toBe(newApiKey());
  });

  it('[SEC-1] is stored as its SHA-256 in hex', () => {
    expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it.each([
    '',
    'osk_',
    'osk_short',
    'sk_0123456789abcdef0123',
    'osk_0123456789abcdef\n',
    'osk_0123456789 abcdef',
  ])('is refused in the shape %j', (text) => expect(isApiKey(text)).toBe(false));
});
