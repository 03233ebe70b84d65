import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { pausesMigration, SharedPauses } from '#platform';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { InProcessProviderLimiter } from './in-process-provider-limiter.js';
import { ModelFault } from './model-fault.js';
import { DEFAULT_RETRY_POLICY } from './retry-delay.js';
import { callWithRetry } from './retry.js';
import { SharedProviderLimiter } from './shared-provider-limiter.js';
import { buildRequest } from './testing/build-request.js';
import { aReply, ScriptedAttempts } from './testing/scripted-attempts.js';

const { signal } = new AbortController();
const options = { signal, maxWaitMs: 0 };

describe('the limiters of two workers over one database', () => {
  let database: TestDatabase;
  let open: SharedPauses[];
  let faults: unknown[];

  beforeEach(async () => {
    [open, faults] = [[], []];
    database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(pausesMigration);
    await client.end();
  });
  afterEach(async () => {
    await Promise.all(open.map((pauses) => pauses.close()));
    await database.drop();
  });

  /** A worker's limiter, with a clock that the spec moves on. */
  function worker(databaseUrl = database.url, maxConcurrent = 4) {
    const pauses = new SharedPauses({ databaseUrl, applicationName: 'spec', onFault: () => undefined });
    open.push(pauses);
    const clock = { ms: 0 };
    const local = new InProcessProviderLimiter({ maxConcurrent });
    const onFault = (thrown: unknown): void => void faults.push(thrown);
    return {
      limiter: new SharedProviderLimiter({ local, pauses, onFault, now: () => clock.ms }),
      clock,
      pauses,
    };
  }

  it('[L09] a provider that sends one away is left alone by the other, for the longest time that was asked for', async () => {
    const [one, two] = [worker(), worker()];
    await one.pauses.extend('key', 60_000);
    await one.pauses.extend('key', 5_000);
    const permit = await two.limiter.acquire('key', options);
    expect(permit).toMatchObject({ ok: false });
    expect(permit.ok ? 0 : permit.waitMs).toBeGreaterThan(50_000);
    expect(await two.limiter.acquire('another', options)).toMatchObject({ ok: true });
    expect(faults).toEqual([]);
  });

  it('[L09] a 429 that one met parks the run of the other before it sends anything', async () => {
    const [one, two] = [worker(), worker()];
    const throttled = new ScriptedAttempts(
      new ModelFault('retryable', 'slow down', { status: 429, delayMs: 60_000 }),
    );
    const first = await callWithRetry(throttled, buildRequest(), { limiter: one.limiter, signal });
    expect(first).toMatchObject({ ok: false, attempts: 1 });
    while ((await one.pauses.leftMs(throttled.limiterKey)) === 0);
    const free = new ScriptedAttempts(aReply);
    const second = await callWithRetry(free, buildRequest(), { limiter: two.limiter, signal });
    expect(second).toMatchObject({ ok: false, attempts: 0, fault: null });
    expect(free.attempts).toBe(0);
  });

  it('[L09] who waited for a place looks again, and is not sent where another was told to stay away meanwhile', async () => {
    const [one, two] = [worker(), worker(database.url, 1)];
    const busy = await two.limiter.acquire('key', options);
    const waiting = [1, 2].map(() => two.limiter.acquire('key', { signal, maxWaitMs: 30_000 }));
    await one.pauses.extend('key', 60_000);
    two.clock.ms += 200;
    if (busy.ok) busy.release();
    for (const permit of await Promise.all(waiting)) {
      expect(permit).toMatchObject({ ok: false });
      expect(permit.ok ? 0 : permit.waitMs).toBeGreaterThan(50_000);
    }
  });

  it('[L09] who waited for a place is served at the end of a pause that it can wait for, and holds its place for nobody', async () => {
    const [one, two] = [worker(), worker(database.url, 1)];
    const busy = await two.limiter.acquire('key', options);
    const waiting = two.limiter.acquire('key', { signal, maxWaitMs: 30_000 });
    await one.pauses.extend('key', 300);
    two.clock.ms += 200;
    if (busy.ok) busy.release();
    const permit = await waiting;
    expect(permit).toMatchObject({ ok: true });
    expect(await one.pauses.leftMs('key')).toBe(0);
    if (permit.ok) permit.release();
    expect(await two.limiter.acquire('key', options)).toMatchObject({ ok: true });
  });

  it('[L17] who is cancelled while it looks again leaves its place to the next', async () => {
    const { limiter, clock, pauses } = worker(database.url, 1);
    const controller = new AbortController();
    const busy = await limiter.acquire('key', options);
    const cancelled = limiter.acquire('key', { signal: controller.signal, maxWaitMs: 30_000 });
    await pauses.extend('key', 60_000);
    clock.ms += 200;
    if (busy.ok) busy.release();
    // The place was given before this line; what it looks up is still under way.
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
    expect(await limiter.acquire('another', options)).toMatchObject({ ok: true });
  });

  it('[L09] a 429 without a word about when holds the other back too', async () => {
    const [one, two] = [worker(), worker()];
    const throttled = new ScriptedAttempts(new ModelFault('retryable', 'slow down', { status: 429 }));
    const policy = { ...DEFAULT_RETRY_POLICY, baseMs: 60_000 };
    const first = await callWithRetry(throttled, buildRequest(), { limiter: one.limiter, signal, policy });
    expect(first).toMatchObject({ ok: false, attempts: 1 });
    while ((await one.pauses.leftMs(throttled.limiterKey)) === 0);
    const free = new ScriptedAttempts(aReply);
    expect(await callWithRetry(free, buildRequest(), { limiter: two.limiter, signal })).toMatchObject({
      ok: false,
      attempts: 0,
    });
    expect(free.attempts).toBe(0);
  });

  it('what others were told is looked up once for all requests of a moment, and again later', async () => {
    const [one, two] = [worker(), worker()];
    const permits = await Promise.all([1, 2, 3].map(() => two.limiter.acquire('key', options)));
    expect(permits.map(({ ok }) => ok)).toEqual([true, true, true]);
    await one.pauses.extend('key', 60_000);
    expect(await two.limiter.acquire('key', options)).toMatchObject({ ok: true });
    two.clock.ms += 200;
    expect(await two.limiter.acquire('key', options)).toMatchObject({ ok: false });
  });

  it('a database that is away holds no request up, and is reported', async () => {
    const { limiter } = worker('postgres://nobody@127.0.0.1:1/none');
    expect(await limiter.acquire('key', options)).toMatchObject({ ok: true });
    limiter.pause('key', 60_000);
    expect(await limiter.acquire('key', options)).toMatchObject({ ok: false });
    expect(faults.length).toBeGreaterThan(0);
  });
});
