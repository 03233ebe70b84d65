import { newId } from '#platform';
import { createPool, openPostgresLog } from '#transcripts';
import { LogTools } from '../log/log-tools.js';
import { MetaCache } from '../log/meta-cache.js';

/** What an operating command works with: the log, a pool of its own, and hearing of progress. */
export interface OperationTools {
  readonly databaseUrl: string;
  readonly tools: LogTools;
  readonly cache: MetaCache;
  readonly pool: ReturnType<typeof createPool>;
  readonly onProgress: (text: string) => void;
}

// Broken connections show at the statement that meets them.
const onError = (): void => undefined;

/** Opens the log of a migrated database for one operation and closes it again. */
export async function withOperationTools<T>(
  databaseUrl: string,
  onProgress: (text: string) => void,
  work: (tools: OperationTools) => Promise<T>,
): Promise<T> {
  const shared = { url: databaseUrl, applicationName: 'offshoot-operate', onError };
  const log = await openPostgresLog({ ...shared, writers: 1, readers: 3 });
  const pool = createPool({ ...shared, max: 4 });
  try {
    const tools = new LogTools(log.store, newId);
    return await work({ databaseUrl, tools, cache: new MetaCache(tools), pool, onProgress });
  } finally {
    await pool.end();
    await log.close();
  }
}
