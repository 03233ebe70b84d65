import { Anthropic } from '@anthropic-ai/sdk';

import { Model, type ModelReply, type ModelRequest, type StreamOptions } from '../model.js';
import { type StreamedProvider, streamTurn } from '../stream-turn.js';
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

  stream(request: ModelRequest, options: StreamOptions): Promise<ModelReply> {
    const { maxRetryAfterMs, idleTimeoutMs } = this.#options;
    const turn = new AnthropicTurn();
    const provider: StreamedProvider = {
      ...{ idleTimeoutMs, endGraceMs: END_GRACE_MS },
      render: (asked) => renderAnthropic(asked, this.#options),
      turn: {
        add: (event) => turn.add(parseAnthropicEvent(event)),
        get isStopped() {
          return turn.isStopped;
        },
        finish: (model) => turn.finish(model),
      },
      post: (sent) => this.#client.post('/v1/messages', sent),
      classify: (thrown) => classifyAnthropicError(thrown, Date.now(), maxRetryAfterMs),
    };
    return streamTurn(provider, request, options);
  }
}
