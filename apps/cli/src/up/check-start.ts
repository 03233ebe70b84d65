import { stat } from 'node:fs/promises';
import {
  checkListenAddress,
  ConfigError,
  embeddedClusterExists,
  isLoopbackHost,
  type OffshootConfig,
} from '#platform';

/** What a start would fail over later, found before a database is made for it. Throws `ConfigError` or `StartRefusedError`. */
export async function checkStart(config: OffshootConfig): Promise<void> {
  const { http, scriptsDir } = config;
  if (isOpenWithoutKey(config))
    throw new ConfigError([
      {
        variable: 'OFFSHOOT_API_KEY',
        accepted: `set to a key of your own making (osk_ and 16 to 256 letters, digits, _ or -) while HOST=${http.host} is reached from other machines and no database holds a key, or HOST 127.0.0.1`,
      },
    ]);
  if (scriptsDir !== undefined && !(await isFolder(scriptsDir)))
    throw new ConfigError([
      { variable: 'OFFSHOOT_SCRIPTS', accepted: `a folder of model scripts; ${scriptsDir} is none` },
    ]);
  await checkListenAddress(http);
}

/** Keys of other making are in the database: where there is one, the orchestrator looks for them. */
function isOpenWithoutKey({ http, apiKey, databaseUrl, dataDir }: OffshootConfig): boolean {
  if (isLoopbackHost(http.host) || apiKey !== undefined) return false;
  return databaseUrl === undefined && !embeddedClusterExists(dataDir);
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
