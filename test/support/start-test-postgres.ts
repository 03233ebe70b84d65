import { startEphemeralPostgres } from '../../libs/platform/src/embedded-postgres/start-ephemeral-postgres.js';
import type { StartedService } from './started-service.js';

/**
 * Gives the run a PostgreSQL and its administrator's address as `OFFSHOOT_TEST_ADMIN_URL`: the server of
 * `OFFSHOOT_TEST_DATABASE_URL` where one is named, else a cluster of its own.
 */
export async function startTestPostgres(): Promise<StartedService> {
  const given = process.env['OFFSHOOT_TEST_DATABASE_URL'];
  if (given !== undefined && given !== '') {
    process.env['OFFSHOOT_TEST_ADMIN_URL'] = given;
    return { stop: () => Promise.resolve() };
  }
  const server = await startEphemeralPostgres();
  const admin = new URL(server.url);
  admin.pathname = '/postgres';
  process.env['OFFSHOOT_TEST_ADMIN_URL'] = admin.href;
  return server;
}
