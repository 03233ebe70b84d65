import { isRunning, startEmbeddedPostgres, type EmbeddedPostgres } from '#platform';
import { countDeath, respawnDelayMs, type Backoff } from './backoff.js';
import type { ChildListener } from './child-event.js';

/** The embedded database, started again on the same port whenever it dies. */
export interface SupervisedDatabase {
  readonly url: string;
  pid(): number;
  stop(how: 'fast' | 'immediate'): Promise<void>;
}

const pollMs = 500;

/** Starts (or adopts) the database of a data directory and keeps it running. The signal ends the first start alone. */
export async function superviseDatabase(
  dataDir: string,
  backoff: Backoff,
  onChild: ChildListener,
  signal: AbortSignal,
): Promise<SupervisedDatabase> {
  let server = await startEmbeddedPostgres({ dataDir, signal });
  let startedAt = performance.now();
  let deaths = 0;
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> = Promise.resolve();
  const started = (next: EmbeddedPostgres): void => {
    server = next;
    startedAt = performance.now();
    onChild({ role: 'database', index: 0, pid: next.pid, kind: 'started' });
  };
  // The connection string must stay good for the children, so the port is kept.
  const revive = async (): Promise<void> => {
    try {
      started(await startEmbeddedPostgres({ dataDir, port: server.port }));
      again(pollMs);
    } catch {
      deaths += 1;
      again(respawnDelayMs(backoff, deaths), revive);
    }
  };
  const look = async (): Promise<void> => {
    if (await isRunning(server.pid)) {
      again(pollMs);
      return;
    }
    if (isStopping) return;
    deaths = countDeath(backoff, deaths, performance.now() - startedAt);
    const respawnInMs = respawnDelayMs(backoff, deaths);
    onChild({
      role: 'database',
      index: 0,
      pid: server.pid,
      kind: 'exited',
      code: null,
      signal: null,
      respawnInMs,
    });
    again(respawnInMs, revive);
  };
  const again = (inMs: number, next: () => Promise<void> = look): void => {
    if (isStopping) return;
    timer = setTimeout(() => {
      work = next();
    }, inMs);
  };
  started(server);
  again(pollMs);
  return {
    url: server.url,
    pid: () => server.pid,
    stop: async (how) => {
      isStopping = true;
      clearTimeout(timer);
      await work;
      await server.stop(how);
    },
  };
}
