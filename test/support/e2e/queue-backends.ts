/** A queue backend to run a suite on. */
export interface QueueBackendUnderTest {
  readonly backend: string;
  readonly redisUrl?: string;
}

/**
 * PostgreSQL always, Redis where the global setup found or started one; without one it has said so, loudly. `database`
 * keeps suites on one Redis apart.
 */
export function queueBackends(database: number): readonly QueueBackendUnderTest[] {
  const url = process.env['OFFSHOOT_TEST_REDIS_URL'] ?? '';
  if (url === '') return [{ backend: 'PostgreSQL' }];
  const redis = new URL(url);
  redis.pathname = `/${database}`;
  return [{ backend: 'PostgreSQL' }, { backend: 'Redis', redisUrl: redis.href }];
}
