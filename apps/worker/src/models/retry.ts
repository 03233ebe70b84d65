import { setTimeout as delay } from 'node:timers/promises';

import { isModelFault, ModelFault } from './model-fault.js';
import type { Model, ModelDelta, ModelReply, ModelRequest, StreamOptions } from './model.js';
import type { ProviderLimiter } from './provider-limiter.js';
import { DEFAULT_RETRY_POLICY, retryDelay, type RetryPolicy } from './retry-delay.js';

/** A reply, or the order to park the run: `waitMs` is a duration, to be added to the database's clock (C05). */
export type CallOutcome =
  | { readonly ok: true; readonly reply: ModelReply; readonly attempts: number }
  | {
      readonly ok: false;
      readonly waitMs: number;
      /** To be given back as `priorAttempts` when the run goes on. */
      readonly attempts: number;
      /** Null when no request was made: the limiter has no place for it. */
      readonly fault: ModelFault | null;
    };

export interface RetryOptions extends StreamOptions {
  readonly limiter: ProviderLimiter;
  readonly policy?: RetryPolicy;
  /** Attempts of this turn in earlier runs. */
  readonly priorAttempts?: number;
  /** In [0, 1). */
  readonly random?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** A provider that counts the requests of this key, whoever sends them; other faults may be of one request alone. */
const TOO_MANY_REQUESTS = 429;

type Attempt = { readonly reply: ModelReply } | { readonly fault: ModelFault };

function isRetried(fault: ModelFault): boolean {
  return fault.code === 'retryable' || fault.code === 'unreachable';
}

/** Rejections of a wait that was cancelled become the fault of that name. */
async function orCancelled<T>(wait: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await wait;
  } catch (cause) {
    if (signal.aborted) throw new ModelFault('cancelled', 'The wait for the model was cancelled.', { cause });
    throw cause;
  }
}

/** Passes deltas on, and knows whether some must be taken back. */
class DeltaRelay {
  readonly #sink: ((delta: ModelDelta) => void) | undefined;
  #isDirty = false;

  constructor(sink: ((delta: ModelDelta) => void) | undefined) {
    this.#sink = sink;
  }

  readonly pass = (delta: ModelDelta): void => {
    this.#isDirty = true;
    this.#sink?.(delta);
  };

  takeBack(): void {
    if (this.#isDirty) this.#sink?.({ type: 'restarted' });
    this.#isDirty = false;
  }
}

class RetriedCall {
  readonly #model: Model;
  readonly #request: ModelRequest;
  readonly #options: RetryOptions;
  readonly #policy: RetryPolicy;
  readonly #relay: DeltaRelay;
  #attempts: number;
  #leftMs: number;

  constructor(model: Model, request: ModelRequest, options: RetryOptions) {
    this.#model = model;
    this.#request = request;
    this.#options = options;
    this.#policy = options.policy ?? DEFAULT_RETRY_POLICY;
    this.#relay = new DeltaRelay(options.onDelta);
    this.#attempts = options.priorAttempts ?? 0;
    this.#leftMs = this.#policy.inPlaceMs;
  }

  async run(): Promise<CallOutcome> {
    const { limiter, signal } = this.#options;
    for (;;) {
      const asked = limiter.acquire(this.#model.limiterKey, { signal, maxWaitMs: this.#leftMs });
      const permit = await orCancelled(asked, signal);
      if (!permit.ok) return { ok: false, waitMs: permit.waitMs, attempts: this.#attempts, fault: null };
      const attempt = await this.#attempt().finally(permit.release);
      if ('reply' in attempt) return { ok: true, reply: attempt.reply, attempts: this.#attempts };
      const waitMs = this.#afterFault(attempt.fault);
      if (waitMs > this.#leftMs) return { ok: false, waitMs, attempts: this.#attempts, fault: attempt.fault };
      this.#leftMs -= waitMs;
      await this.#sleep(waitMs);
    }
  }

  async #attempt(): Promise<Attempt> {
    const { signal, origin } = this.#options;
    this.#attempts += 1;
    try {
      const streamOptions = {
        signal,
        onDelta: this.#relay.pass,
        ...(origin === undefined ? {} : { origin }),
      };
      return { reply: await this.#model.stream(this.#request, streamOptions) };
    } catch (thrown) {
      if (!isModelFault(thrown) || !isRetried(thrown)) throw thrown;
      return { fault: thrown };
    }
  }

  /** How long to stay away, or the fault itself when it was the last attempt. */
  #afterFault(fault: ModelFault): number {
    this.#relay.takeBack();
    const chance = (this.#options.random ?? Math.random)();
    const waitMs = retryDelay(fault.delayMs, this.#attempts, this.#policy, chance);
    const pauseMs = fault.delayMs ?? (fault.status === TOO_MANY_REQUESTS ? waitMs : null);
    if (pauseMs !== null) this.#options.limiter.pause(this.#model.limiterKey, pauseMs);
    if (this.#attempts >= this.#policy.maxAttempts) throw fault;
    return waitMs;
  }

  #sleep(ms: number): Promise<unknown> {
    const { signal, sleep } = this.#options;
    return orCancelled(sleep === undefined ? delay(ms, undefined, { signal }) : sleep(ms, signal), signal);
  }
}

/**
 * The only retry layer between a run and a provider (L09). Throttling, overload and network faults are waited for in
 * place while that takes at most a few seconds in all; a longer wait is answered as `{ ok: false, waitMs }`, for a
 * durable timer. Every other fault, and the one of the last attempt, is thrown as it came.
 */
export function callWithRetry(
  model: Model,
  request: ModelRequest,
  options: RetryOptions,
): Promise<CallOutcome> {
  return new RetriedCall(model, request, options).run();
}
