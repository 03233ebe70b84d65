import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { startTestRedis } from '../../../../test/support/start-test-redis.js';
import { jobId } from './job-id.js';
import { openQueueBackend } from './open-queue-backend.js';
import { RedisMayEvict } from './redis-eviction.js';
import { eventually } from './testing/eventually.js';
import { queueContract } from './testing/queue-contract.js';

const redisUrl = process.env['OFFSHOOT_TEST_REDIS_URL'] ?? '';
const databaseUrl = 'postgres://127.0.0.1:1/unused';

interface OwnRedis {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** The eviction policy is the server's, so its spec must not turn the Redis that others share; it does where it finds no own. */
async function startOwnRedis(): Promise<OwnRedis> {
  delete process.env['OFFSHOOT_TEST_REDIS_URL'];
  const service = await startTestRedis();
  const url = process.env['OFFSHOOT_TEST_REDIS_URL'] ?? redisUrl;
  process.env['OFFSHOOT_TEST_REDIS_URL'] = redisUrl;
  return { url, stop: () => service.stop() };
}

if (redisUrl === '') {
  describe('the queue on redis', () => {
    it.skip('needs OFFSHOOT_TEST_REDIS_URL', () => undefined);
  });
} else {
  queueContract('redis', {
    address: () => Promise.resolve(redisUrl),
    options: (url) => ({ databaseUrl, redisUrl: url }),
    end: () => Promise.resolve(),
  });

  describe('the queue on Redis, by itself', () => {
    let redis: Redis;
    let own: OwnRedis;

    beforeAll(async () => {
      own = await startOwnRedis();
      redis = new Redis(own.url);
    });
    afterAll(async () => {
      await redis.config('SET', 'maxmemory-policy', 'noeviction');
      await redis.quit();
      await own.stop();
    });

    it('[Q08] a Redis that may evict is refused by name, unless eviction is allowed', async () => {
      await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
      await expect(openQueueBackend({ databaseUrl, redisUrl: own.url })).rejects.toThrow(RedisMayEvict);
      const faults: unknown[] = [];
      const backend = await openQueueBackend({
        databaseUrl,
        redisUrl: own.url,
        allowEviction: true,
        onFault: (fault) => faults.push(fault),
      });
      expect(faults).toHaveLength(1);
      await backend.close();
      await redis.config('SET', 'maxmemory-policy', 'noeviction');
    });

    it('[Q08] where CONFIG is blocked the policy is known all the same', async () => {
      await redis.call('ACL', 'SETUSER', 'modest', 'on', '>word', '~*', '&*', '+@all', '-config');
      const url = new URL(own.url);
      [url.username, url.password] = ['modest', 'word'];
      const faults: unknown[] = [];
      const onFault = (fault: unknown): void => void faults.push(fault);
      const backend = await openQueueBackend({ databaseUrl, redisUrl: url.href, onFault });
      expect([await backend.answers(), faults]).toEqual([true, []]);
      await backend.close();
    });

    it('[Q10] finished jobs leave a bounded number of keys, all under one hash tag, and no results', async () => {
      const backend = await openQueueBackend({ databaseUrl, redisUrl: own.url, prefix: '{offshoot-many}' });
      const queue = await backend.createQueue('many');
      let runs = 0;
      await backend.createWorker('many', () => Promise.resolve(void (runs += 1)), { concurrency: 16 });
      for (let batch = 0; batch < 10; batch += 1) {
        await queue.enqueue(
          ...Array.from({ length: 200 }, (_, n) => ({ id: jobId(`m${batch}-${n}`, 1, 1), payload: { n } })),
        );
      }
      await eventually(
        () => runs,
        (count) => count === 2000,
        60_000,
      );
      await backend.close(5000);
      const keys = await redis.keys('*many*');
      expect(keys.every((key) => key.startsWith('{offshoot-many}:'))).toBe(true);
      expect(keys.length).toBeLessThanOrEqual(300);
      expect(await redis.xlen('{offshoot-many}:many:events')).toBeLessThanOrEqual(1000);
      await redis.del(...keys);
    }, 120_000);
  });
}
