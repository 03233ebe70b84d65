import { startEphemeralPostgres } from '../../libs/platform/src/embedded-postgres/start-ephemeral-postgres.js';
import { adminUrlsVariable } from './test-database.js';
import type { StartedService } from './started-service.js';

/**
 * Gives the run a PostgreSQL for each of its workers and names their administrators' addresses in `OFFSHOOT_TEST_ADMIN_URLS`: clusters
 * of its own, or the one server of `OFFSHOOT_TEST_DATABASE_URL` where that is named. A transaction holds back readers of the log in every database of its
 * cluster, so specs that run at once in one would see what the other one holds.
 */
export async function startTestPostgres(workers: number): Promise<StartedService> {
  const given = process.env['OFFSHOOT_TEST_DATABASE_URL'];
  if (given !== undefined && given !== '') {
    process.env[adminUrlsVariable] = JSON.stringify([given]);
    return { stop: () => Promise.resolve() };
  }
  const started = await Promise.allSettled(Array.from({ length: workers }, () => startEphemeralPostgres()));
  const servers = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const stop = async (): Promise<void> => {
    for (const server of servers) await server.stop();
  };
  const failed = started.find((each) => each.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  process.env[adminUrlsVariable] = JSON.stringify(servers.map(({ url }) => administrators(url)));
  return { stop };
}

function administrators(url: string): string {
  const admin = new URL(url);
  admin.pathname = '/postgres';
  return admin.href;
}
