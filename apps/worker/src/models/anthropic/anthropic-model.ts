import { Anthropic } from '@anthropic-ai/sdk';

import { findRequestDefect } from '../find-request-defect.js';
import { guardedRead, originHeaders } from '../guarded-read.js';
import type { IdleWatchdog } from '../idle-watchdog.js';
import { ModelFault } from '../model-fault.js';
import { Model, type ModelReply, type ModelRequest, type StreamOptions } from '../model.js';
import { requestFacts } from '../request-facts.js';
import { parseAnthropicEvent } from './anthropic-event.js';
import { AnthropicTurn } from './anthropic-turn.js';
import { classifyAnthropicError } from './classify-anthropic-error.js';
import { type AnthropicRenderOptions, renderAnthropic } from './render-anthropic.js';

export interface AnthropicModelOptions extends AnthropicRenderOptions {
  /** Without `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly limiterKey: string;
  /** How long a stream may stay silent, its first byte included; the client swallows pings. Default 180 s. */
  readonly idleTimeoutMs?: number;
  /** The longest `Retry-After` that is believed. Default one hour. */
  readonly maxRetryAfterMs?: number;
}

/** How long the end of the stream may take behind the stop event. */
const END_GRACE_MS = 1_000;
const DEFAULTS = { idleTimeoutMs: 180_000, maxRetryAfterMs: 3_600_000 };

/** Anthropic's Messages, through their client with its retries off and our own bytes as the body. */
export class AnthropicModel extends Model {
  readonly limiterKey: string;
  readonly #options: AnthropicModelOptions & typeof DEFAULTS;
  readonly #client: Anthropic;

  constructor(options: AnthropicModelOptions) {
    super();
    this.limiterKey = options.limiterKey;
    this.#options = { ...DEFAULTS, ...options };
    // What is null here, the client would else take from its environment.
    this.#client = new Anthropic({
      baseURL: options.baseUrl,
      apiKey: options.apiKey,
      authToken: null,
      webhookKey: null,
      maxRetries: 0,
      logLevel: 'off',
      openTelemetry: false,
    });
  }

  async stream(request: ModelRequest, options: StreamOptions): Promise<ModelReply> {
    const defect = findRequestDefect(request);
    if (defect !== null) throw new ModelFault('invalid_request', defect.reason, defect);
    const { bytes, facts } = requestFacts(renderAnthropic(request, this.#options));
    const turn = new AnthropicTurn();
    const broken = await guardedRead(
      options.signal,
      (watchdog) => this.#consume(bytes, turn, { ...options, watchdog }),
      (thrown) => classifyAnthropicError(thrown, Date.now(), this.#options.maxRetryAfterMs),
    );
    // A cut after the stop event costs nothing.
    const finished = turn.finish(request.model);
    if (finished !== null) return { ...finished, request: facts };
    throw broken ?? new ModelFault('retryable', 'The stream of the model ended without its stop event.');
  }

  async #consume(
    body: Uint8Array,
    turn: AnthropicTurn,
    options: StreamOptions & { watchdog: IdleWatchdog },
  ): Promise<void> {
    const { watchdog, onDelta } = options;
    const { idleTimeoutMs } = this.#options;
    watchdog.touch(idleTimeoutMs);
    const stream = await this.#client.post<AsyncIterable<unknown>>('/v1/messages', {
      body,
      stream: true,
      signal: watchdog.signal,
      timeout: idleTimeoutMs + 1_000,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'text/event-stream',
        ...originHeaders(options.origin),
      },
    });
    for await (const event of stream) {
      for (const delta of turn.add(parseAnthropicEvent(event))) onDelta?.(delta);
      // Leaving the loop would close the connection; the end of the stream is due at once.
      watchdog.touch(turn.isStopped ? END_GRACE_MS : idleTimeoutMs);
    }
  }
}
