import { type KeyStore, readOrMakeAdminKey, StartRefusedError } from '#platform';
import type { ServerConfig } from '../log/server-config.js';

/**
 * The admin key of this server, or null where it has none. A server that other machines can reach takes explicitly made keys only (spec
 * 05 §7): `OFFSHOOT_API_KEY`, or those of the store; the key that a first start makes by itself opens nothing there. Throws when it
 * would have no key at all.
 */
export async function chooseAdminKey(
  { config, isLoopback }: Pick<ServerConfig, 'config' | 'isLoopback'>,
  store: Pick<KeyStore, 'live'>,
): Promise<string | null> {
  if (config.apiKey !== undefined || isLoopback)
    return (await readOrMakeAdminKey(config.dataDir, config.apiKey)).key;
  if ((await store.live()).length > 0) return null;
  throw new StartRefusedError(
    `HOST=${config.http.host} is reached from other machines, and no key was made for them: make one with "offshoot keys create", ` +
      'set OFFSHOOT_API_KEY to a key of your own making, or set HOST to 127.0.0.1.',
  );
}
