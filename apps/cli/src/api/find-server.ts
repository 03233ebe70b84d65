import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import {
  adminKeyFile,
  ConfigError,
  isRunning,
  loadConfig,
  type OffshootConfig,
  pickEnvironment,
} from '#platform';
import { supervisorFile } from '../up/hold-data-dir.js';
import { ApiClient } from './api-client.js';
import { ServerNotFoundError } from './server-not-found-error.js';

/** Where to look. `url` is `OFFSHOOT_URL`, `apiKey` is `OFFSHOOT_API_KEY`; the data directory is that of `offshoot up`. */
export interface ServerTraits extends Pick<OffshootConfig, 'dataDir' | 'apiKey'> {
  readonly url?: string;
}

const recordSchema = z.object({ pid: z.number().int().positive(), address: z.string().exactOptional() });

/**
 * Finds the orchestrator and a key for it: the given ones, else those of the Offshoot that runs over the data directory. The key of a data
 * directory is sent to that Offshoot alone. Throws `ServerNotFoundError`, whose message says what to do.
 */
export async function findServer(traits: ServerTraits = givenTraits()): Promise<ApiClient> {
  const address = traits.url === undefined ? await localAddress(traits) : withoutSlash(traits.url);
  return new ApiClient(address, traits.apiKey ?? (await localKey(address, traits)));
}

/** What the environment says. Throws `ConfigError` for what cannot be used. */
function givenTraits(): ServerTraits {
  const { OFFSHOOT_URL: url } = pickEnvironment(['OFFSHOOT_URL']);
  if (url === undefined || url.trim() === '') return loadConfig();
  if (!/^https?:\/\//.test(url.trim()) || !URL.canParse(url.trim()))
    throw new ConfigError([{ variable: 'OFFSHOOT_URL', accepted: 'an address like http://127.0.0.1:4400' }]);
  return { ...loadConfig(), url: url.trim() };
}

async function localAddress({ dataDir }: ServerTraits): Promise<string> {
  const record = await readRecord(dataDir);
  if (record?.address === undefined || !(await isRunning(record.pid))) {
    throw new ServerNotFoundError(
      `No Offshoot runs over ${dataDir}. Start one with "offshoot up", or set OFFSHOOT_URL and OFFSHOOT_API_KEY.`,
    );
  }
  return record.address;
}

async function localKey(address: string, { dataDir, url }: ServerTraits): Promise<string> {
  const own = url === undefined ? address : (await readRecord(dataDir))?.address;
  if (own === undefined || originOf(own) !== originOf(address)) {
    throw new ServerNotFoundError(
      `Set OFFSHOOT_API_KEY to a key of ${address}: the key in ${dataDir} is for the Offshoot that runs over it.`,
    );
  }
  const file = adminKeyFile(dataDir);
  const key = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (key === '') throw new ServerNotFoundError(`${file} cannot be read; set OFFSHOOT_API_KEY.`);
  return key;
}

async function readRecord(dataDir: string): Promise<z.infer<typeof recordSchema> | null> {
  const text = await readFile(supervisorFile(dataDir), 'utf8').catch(() => 'null');
  try {
    const parsed = recordSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function originOf(address: string): string {
  if (URL.canParse(address)) return new URL(address).origin;
  throw new ServerNotFoundError(
    `"${address}" is not an address; OFFSHOOT_URL is like http://127.0.0.1:4400.`,
  );
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');
