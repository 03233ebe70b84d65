import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { InProcessProviderLimiter } from './in-process-provider-limiter.js';
import { ModelFault, type ModelFaultCode } from './model-fault.js';
import type { ModelDelta } from './model.js';
import { DEFAULT_RETRY_POLICY, retryDelay } from './retry-delay.js';
import { callWithRetry, type RetryOptions } from './retry.js';
import { buildRequest } from './testing/build-request.js';
import { aReply, ScriptedAttempts } from './testing/scripted-attempts.js';

const overload = new ModelFault('retryable', 'overloaded');

/** Options with a clock that only moves when somebody sleeps. */
function options(
  fields: Partial<RetryOptions> = {},
): RetryOptions & { slept: number[]; limiter: InProcessProviderLimiter } {
  const slept: number[] = [];
  let nowMs = 0;
  return {
    slept,
    limiter: new InProcessProviderLimiter({ maxConcurrent: 4, now: () => nowMs }),
    signal: new AbortController().signal,
    random: () => 0,
    sleep: (ms) => {
      slept.push(ms);
      nowMs += ms;
      return Promise.resolve();
    },
    ...fields,
  } as RetryOptions & { slept: number[]; limiter: InProcessProviderLimiter };
}

describe('callWithRetry', () => {
  it('[L09] waits in place while it is short, and takes back what a failed attempt said', async () => {
    const deltas: ModelDelta[] = [];
    const opts = options({ onDelta: (delta) => deltas.push(delta) });
    const outcome = await callWithRetry(
      new ScriptedAttempts(overload, overload, aReply),
      buildRequest(),
      opts,
    );
    expect(outcome).toEqual({ ok: true, reply: aReply, attempts: 3 });
    expect(opts.slept).toEqual([250, 500]);
    expect(deltas.map((delta) => (delta.type === 'text' ? delta.text : delta.type))).toEqual([
      'try 1',
      'restarted',
      'try 2',
      'restarted',
      'try 3',
    ]);
  });

  it('[L09] a long wait is handed back for a durable timer, without sleeping', async () => {
    const opts = options();
    const fault = new ModelFault('retryable', 'throttled', { delayMs: 30_000 });
    const model = new ScriptedAttempts(fault);
    const outcome = await callWithRetry(model, buildRequest(), opts);
    expect(outcome).toEqual({ ok: false, waitMs: 30_000, attempts: 1, fault });
    expect(opts.slept).toEqual([]);
    expect(model.attempts).toBe(1);
  });

  it('[L09] the time spent in place is bounded over all attempts together', async () => {
    const opts = options();
    const outcome = await callWithRetry(new ScriptedAttempts(overload), buildRequest(), opts);
    expect(outcome).toMatchObject({ ok: false, attempts: 5 });
    expect(opts.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(DEFAULT_RETRY_POLICY.inPlaceMs);
  });

  it('[L09] one request that was sent away holds back all that share its key', async () => {
    const opts = options();
    const fault = new ModelFault('retryable', 'throttled', { delayMs: 30_000 });
    await callWithRetry(new ScriptedAttempts(fault), buildRequest(), opts);
    const other = new ScriptedAttempts(aReply);
    const outcome = await callWithRetry(other, buildRequest(), opts);
    expect(outcome).toEqual({ ok: false, waitMs: 30_000, attempts: 0, fault: null });
    expect(other.attempts).toBe(0);
  });

  it.each([
    ['429 without a word about when is as long a pause for all as the one that met it waits', 429, false],
    ['a fault that may be of one request alone holds nobody else back', 503, true],
  ])('[L09] %s', async (_what, status, isFree) => {
    const opts = options({ priorAttempts: 5 });
    const fault = new ModelFault('retryable', 'slow down', { status });
    const outcome = await callWithRetry(new ScriptedAttempts(fault), buildRequest(), opts);
    expect(outcome).toEqual({ ok: false, waitMs: 8_000, attempts: 6, fault });
    const permit = await opts.limiter.acquire('scripted', { signal: opts.signal, maxWaitMs: 0 });
    expect(permit).toMatchObject(isFree ? { ok: true } : { ok: false, waitMs: 8_000 });
  });

  it('[L09] who met a 429 without a word comes back when its own pause is over', async () => {
    const opts = options();
    const fault = new ModelFault('retryable', 'slow down', { status: 429 });
    const outcome = await callWithRetry(new ScriptedAttempts(fault, fault, aReply), buildRequest(), opts);
    expect(outcome).toMatchObject({ ok: true, attempts: 3 });
    expect(opts.slept).toEqual([250, 500]);
  });

  it.each<ModelFaultCode>(['quota', 'credentials', 'invalid_request', 'context_overflow', 'cancelled'])(
    '[L09] %s is never retried',
    async (code) => {
      const fault = new ModelFault(code, 'no');
      const model = new ScriptedAttempts(fault);
      await expect(callWithRetry(model, buildRequest(), options())).rejects.toBe(fault);
      expect(model.attempts).toBe(1);
    },
  );

  it('attempts of earlier runs count, and the fault of the last one is thrown', async () => {
    const model = new ScriptedAttempts(overload);
    await expect(callWithRetry(model, buildRequest(), options({ priorAttempts: 9 }))).rejects.toBe(overload);
    expect(model.attempts).toBe(1);
  });

  it('[L17] cancelling ends a wait at once, as a cancellation', async () => {
    const controller = new AbortController();
    const { limiter } = options();
    const call = callWithRetry(new ScriptedAttempts(overload), buildRequest(), {
      limiter,
      signal: controller.signal,
      onDelta: () => setImmediate(() => controller.abort()),
      random: () => 0.99,
    });
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('a fault of our own is no fault of the provider', async () => {
    const bug = new TypeError('bug');
    await expect(callWithRetry(new ScriptedAttempts(bug), buildRequest(), options())).rejects.toBe(bug);
  });
});

describe('retryDelay', () => {
  it('[L09] never undercuts the provider, and never backs off beyond the cap on its own', () => {
    const chance = fc.double({ min: 0, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(
        fc.nat(3_600_000),
        fc.integer({ min: 1, max: 2_000 }),
        chance,
        (askedMs, attempts, random) => {
          expect(retryDelay(askedMs, attempts, DEFAULT_RETRY_POLICY, random)).toBeGreaterThanOrEqual(askedMs);
          const own = retryDelay(null, attempts, DEFAULT_RETRY_POLICY, random);
          expect(own).toBeGreaterThanOrEqual(DEFAULT_RETRY_POLICY.baseMs / 2);
          expect(own).toBeLessThanOrEqual(DEFAULT_RETRY_POLICY.capMs);
        },
      ),
    );
  });
});
