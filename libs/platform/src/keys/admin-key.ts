import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../errors/error-code.js';
import { isApiKey, newApiKey } from './api-key.js';

/** The admin key of the default tenant, and where it came from. */
export interface AdminKey {
  readonly key: string;
  /** `file` is the key file of the data directory; `environment` is `OFFSHOOT_API_KEY`. */
  readonly source: 'environment' | 'file';
}

/** The path of the key file in a data directory. */
export function adminKeyFile(dataDir: string): string {
  return join(dataDir, 'admin.key');
}

/**
 * The admin key (spec 05 §7): the one given by `OFFSHOOT_API_KEY`, else that of the key file, which is made
 * with mode 0600 on the first start. Concurrent first starts end with one key. A key file that holds something
 * else throws: replacing it would lock out whoever uses the key.
 */
export async function readOrMakeAdminKey(dataDir: string, given?: string): Promise<AdminKey> {
  if (given !== undefined) return { key: given, source: 'environment' };
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = adminKeyFile(dataDir);
  const key = (await readKey(file)) ?? (await makeKey(file));
  return { key, source: 'file' };
}

async function makeKey(file: string): Promise<string> {
  const draft = `${file}.new-${process.pid}`;
  await writeFile(draft, `${newApiKey()}\n`, { mode: 0o600 });
  try {
    // A link appears with its whole content and fails when another start was faster.
    await link(draft, file);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readKey(file)) ?? fail(file);
}

async function readKey(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  await chmod(file, 0o600);
  const key = text.trim();
  return isApiKey(key) ? key : fail(file);
}

function fail(file: string): never {
  throw new Error(`${file} does not hold a key (osk_...). Restore it, or remove it to have a new one made.`);
}
