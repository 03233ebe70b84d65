import { rm } from 'node:fs/promises';
import type { StartedService } from './started-service.js';
import { startTestPostgres } from './start-test-postgres.js';
import { startTestRedis } from './start-test-redis.js';

/** Setup and teardown are loaded apart, perhaps once for each project: what they share hangs on the process. */
export interface TestServicesShelf {
  offshootTestServices?: SharedServices;
}

interface SharedServices {
  readonly join: () => Promise<void>;
  /** The last user out ends the services. */
  readonly leave: () => Promise<void>;
}

/**
 * Starts, or joins, the services of this Jest run and names them in the environment of the test files.
 * `bundle` is the file this code was loaded from; it is removed. `workers` is how many specs run at once.
 */
export async function startTestServices(bundle: string, workers: number): Promise<void> {
  const shelf = globalThis as typeof globalThis & TestServicesShelf;
  await rm(bundle, { force: true });
  const services = (shelf.offshootTestServices ??= shareServices(shelf, workers));
  await services.join();
}

function shareServices(shelf: TestServicesShelf, workers: number): SharedServices {
  const started = startAll(workers);
  let users = 0;
  return {
    join: async () => {
      users += 1;
      await started;
    },
    leave: async () => {
      users -= 1;
      if (users > 0) return;
      delete shelf.offshootTestServices;
      for (const service of await started) await service.stop();
    },
  };
}

async function startAll(workers: number): Promise<readonly StartedService[]> {
  const started: StartedService[] = [];
  try {
    started.push(await startTestPostgres(workers));
    started.push(await startTestRedis());
    return started;
  } catch (error) {
    for (const service of started) await service.stop();
    throw error;
  }
}
