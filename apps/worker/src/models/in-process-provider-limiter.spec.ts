import { describe, expect, it } from '@jest/globals';

import { InProcessProviderLimiter } from './in-process-provider-limiter.js';
import type { Permit } from './provider-limiter.js';

const { signal } = new AbortController();
const patient = { signal, maxWaitMs: 60_000 };

function release(permit: Permit): void {
  if (!permit.ok) throw new Error('The permit was refused.');
  permit.release();
}

describe('InProcessProviderLimiter', () => {
  it('lets through as many as it may, then each as one leaves, in the order of asking', async () => {
    const limiter = new InProcessProviderLimiter({ maxConcurrent: 1 });
    const order: number[] = [];
    const first = await limiter.acquire('k', patient);
    const others = [1, 2, 3].map(async (n) => {
      const permit = await limiter.acquire('k', patient);
      order.push(n);
      release(permit);
    });
    expect(order).toEqual([]);
    release(first);
    await Promise.all(others);
    expect(order).toEqual([1, 2, 3]);
  });

  it('a permit that is released twice frees one place', async () => {
    const limiter = new InProcessProviderLimiter({ maxConcurrent: 1 });
    const first = await limiter.acquire('k', patient);
    release(first);
    release(first);
    await limiter.acquire('k', patient);
    expect(await limiter.acquire('k', { signal, maxWaitMs: 0 })).toMatchObject({ ok: false });
  });

  it('keys do not wait for each other', async () => {
    const limiter = new InProcessProviderLimiter({ maxConcurrent: 1 });
    await limiter.acquire('a', patient);
    limiter.pause('a', 1_000);
    expect(await limiter.acquire('b', { signal, maxWaitMs: 0 })).toMatchObject({ ok: true });
  });

  it('[L09] a pause turns away who cannot wait for it, and holds who can until it is over', async () => {
    const limiter = new InProcessProviderLimiter({ maxConcurrent: 4 });
    limiter.pause('k', 200);
    expect(await limiter.acquire('k', { signal, maxWaitMs: 5 })).toMatchObject({ ok: false });
    expect(await limiter.acquire('k', patient)).toMatchObject({ ok: true });
  });

  it('[L09] a pause turns away at once who waits for a place and cannot wait for its end, and nobody else', async () => {
    const limiter = new InProcessProviderLimiter({ maxConcurrent: 1 });
    const busy = await limiter.acquire('k', patient);
    const short = limiter.acquire('k', { signal, maxWaitMs: 30_000 });
    const long = limiter.acquire('k', { signal, maxWaitMs: 60_000 });
    limiter.pause('k', 45_000);
    expect(await short).toMatchObject({ ok: false });
    expect(await Promise.race([long, Promise.resolve('still there')])).toBe('still there');
    limiter.pause('k', 100_000);
    const turned = await long;
    expect(turned.ok ? 0 : turned.waitMs).toBeGreaterThan(90_000);
    release(busy);
  });

  it('a shorter pause does not end a longer one', async () => {
    const limiter = new InProcessProviderLimiter({ maxConcurrent: 4, now: () => 0 });
    limiter.pause('k', 900);
    limiter.pause('k', 10);
    expect(await limiter.acquire('k', { signal, maxWaitMs: 0 })).toEqual({ ok: false, waitMs: 900 });
  });

  it('[L17] who is cancelled leaves the queue, and the next one is served', async () => {
    const limiter = new InProcessProviderLimiter({ maxConcurrent: 1 });
    const first = await limiter.acquire('k', patient);
    const controller = new AbortController();
    const cancelled = limiter.acquire('k', { signal: controller.signal, maxWaitMs: 60_000 });
    const next = limiter.acquire('k', patient);
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
    release(first);
    release(await next);
  });
});
