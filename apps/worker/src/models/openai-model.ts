import { OpenAI } from 'openai';

import { classifyOpenAiError } from './classify-openai-error.js';
import { findRequestDefect } from './find-request-defect.js';
import { guardedRead, originHeaders } from './guarded-read.js';
import type { IdleWatchdog } from './idle-watchdog.js';
import { ModelFault } from './model-fault.js';
import { Model, type ModelReply, type ModelRequest, type StreamOptions } from './model.js';
import { parseOpenAiChunk } from './openai-chunk.js';
import type { OpaqueField } from './openai-opaque.js';
import { OpenAiTurn } from './openai-turn.js';
import { renderOpenAi, type OpenAiRenderOptions } from './render-openai.js';
import { requestFacts } from './request-facts.js';

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

  async stream(request: ModelRequest, options: StreamOptions): Promise<ModelReply> {
    const defect = findRequestDefect(request);
    if (defect !== null) throw new ModelFault('invalid_request', defect.reason, defect);
    const { bytes, facts } = requestFacts(renderOpenAi(request, this.#options));
    const turn = new OpenAiTurn(this.#options.opaqueFields);
    const broken = await guardedRead(
      options.signal,
      (watchdog) => this.#consume(bytes, turn, { ...options, watchdog }),
      (thrown) => classifyOpenAiError(thrown, Date.now(), this.#options.maxRetryAfterMs),
    );
    // A cut after the stop event costs nothing but, perhaps, the usage.
    const finished = turn.finish(request.model);
    if (finished !== null) return { ...finished, request: facts };
    throw broken ?? new ModelFault('retryable', 'The stream of the model ended without its stop event.');
  }

  async #consume(
    body: Uint8Array,
    turn: OpenAiTurn,
    options: StreamOptions & { watchdog: IdleWatchdog },
  ): Promise<void> {
    const { watchdog, onDelta } = options;
    const { idleTimeoutMs, usageGraceMs } = this.#options;
    watchdog.touch(idleTimeoutMs);
    const stream = await this.#client.post<AsyncIterable<unknown>>('/chat/completions', {
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
    for await (const chunk of stream) {
      for (const delta of turn.add(parseOpenAiChunk(chunk))) onDelta?.(delta);
      watchdog.touch(turn.isStopped ? usageGraceMs : idleTimeoutMs);
    }
  }
}
