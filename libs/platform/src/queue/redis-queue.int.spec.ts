import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { jobId } from './job-id.js';
import { openQueueBackend } from './open-queue-backend.js';
import { RedisMayEvict } from './redis-eviction.js';
import { eventually } from './testing/eventually.js';
import { queueContract } from './testing/queue-contract.js';

const redisUrl = process.env['OFFSHOOT_TEST_REDIS_URL'] ?? '';
const databaseUrl = 'postgres://127.0.0.1:1/unused';

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

    beforeEach(() => {
      redis = new Redis(redisUrl);
    });
    afterEach(async () => {
      await redis.config('SET', 'maxmemory-policy', 'noeviction');
      await redis.quit();
    });

    it('[Q08] a Redis that may evict is refused by name, unless eviction is allowed', async () => {
      await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
      await expect(openQueueBackend({ databaseUrl, redisUrl })).rejects.toThrow(RedisMayEvict);
      const faults: unknown[] = [];
      const backend = await openQueueBackend({
        databaseUrl,
        redisUrl,
        allowEviction: true,
        onFault: (fault) => faults.push(fault),
      });
      expect(faults).toHaveLength(1);
      await backend.close();
    });

    it('[Q10] finished jobs leave a bounded number of keys, all under one hash tag, and no results', async () => {
      const backend = await openQueueBackend({ databaseUrl, redisUrl, prefix: '{offshoot-many}' });
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
