import { OpenAI } from 'openai';

import { classifyOpenAiError } from './classify-openai-error.js';
import { Model, type ModelReply, type ModelRequest, type StreamOptions } from './model.js';
import { parseOpenAiChunk } from './openai-chunk.js';
import type { OpaqueField } from './openai-opaque.js';
import { OpenAiTurn } from './openai-turn.js';
import { renderOpenAi, type OpenAiRenderOptions } from './render-openai.js';
import { type StreamedProvider, streamTurn } from './stream-turn.js';

export interface OpenAiModelOptions extends OpenAiRenderOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly limiterKey: string;
  /** How long a stream may stay silent, its first byte included. Undici itself gives up after 300 s. Default 180 s. */
  readonly idleTimeoutMs?: number;
  /** How long usage may come after the stop event. Default 5 s. */
  readonly usageGraceMs?: number;
  /** The longest `Retry-After` that is believed. Default one hour. */
  readonly maxRetryAfterMs?: number;
  /** Reasoning members that are recorded and replayed. Default: `reasoning_details`, the signed form. */
  readonly opaqueFields?: readonly OpaqueField[];
}

const DEFAULTS = {
  idleTimeoutMs: 180_000,
  usageGraceMs: 5_000,
  maxRetryAfterMs: 3_600_000,
  opaqueFields: ['reasoning_details'] as readonly OpaqueField[],
};

/** Any OpenAI-compatible endpoint, through the `openai` client with its retries off and our own bytes as the body. */
export class OpenAiModel extends Model {
  readonly limiterKey: string;
  readonly #options: OpenAiModelOptions & typeof DEFAULTS;
  readonly #client: OpenAI;

  constructor(options: OpenAiModelOptions) {
    super();
    this.limiterKey = options.limiterKey;
    this.#options = { ...DEFAULTS, ...options };
    // What is null here, the client would else take from its environment.
    this.#client = new OpenAI({
      baseURL: options.baseUrl,
      apiKey: options.apiKey,
      adminAPIKey: null,
      organization: null,
      project: null,
      maxRetries: 0,
      logLevel: 'off',
    });
  }

  stream(request: ModelRequest, options: StreamOptions): Promise<ModelReply> {
    const { opaqueFields, maxRetryAfterMs, idleTimeoutMs, usageGraceMs } = this.#options;
    const turn = new OpenAiTurn(opaqueFields);
    const provider: StreamedProvider = {
      ...{ idleTimeoutMs, endGraceMs: usageGraceMs },
      render: (asked) => renderOpenAi(asked, this.#options),
      turn: {
        add: (chunk) => turn.add(parseOpenAiChunk(chunk)),
        get isStopped() {
          return turn.isStopped;
        },
        finish: (model) => turn.finish(model),
      },
      post: (sent) => this.#client.post('/chat/completions', sent),
      classify: (thrown) => classifyOpenAiError(thrown, Date.now(), maxRetryAfterMs),
    };
    return streamTurn(provider, request, options);
  }
}
