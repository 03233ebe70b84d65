import type { FinishedTurn } from './finished-turn.js';
import { findRequestDefect } from './find-request-defect.js';
import { guardedRead, originHeaders } from './guarded-read.js';
import { ModelFault } from './model-fault.js';
import type { ModelDelta, ModelReply, ModelRequest, StreamOptions } from './model.js';
import type { RenderedRequest } from './rendered-request.js';
import { requestFacts } from './request-facts.js';

/** A turn that is built from what a provider sends. */
interface GrowingTurn {
  /** Takes one thing that was sent; what of it may be shown. */
  add(sent: unknown): readonly ModelDelta[];
  /** Whether the stop event was seen. */
  readonly isStopped: boolean;
  finish(model: string): FinishedTurn | null;
}

/** What a client of a provider is asked to send. */
export interface StreamedPost {
  readonly body: Uint8Array;
  readonly stream: true;
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** In what providers differ where a turn is streamed. */
export interface StreamedProvider {
  readonly render: (request: ModelRequest) => RenderedRequest;
  readonly turn: GrowingTurn;
  readonly post: (options: StreamedPost) => Promise<AsyncIterable<unknown>>;
  readonly classify: (thrown: unknown) => ModelFault;
  /** How long a stream may stay silent, its first byte included, and how long its end may take behind the stop event. */
  readonly idleTimeoutMs: number;
  readonly endGraceMs: number;
}

/**
 * Streams one turn: our own bytes as the body, an idle watchdog over the stream, and a reply once the stop event was seen, whatever happens behind
 * it. Throws `ModelFault`.
 */
export async function streamTurn(
  provider: StreamedProvider,
  request: ModelRequest,
  options: StreamOptions,
): Promise<ModelReply> {
  const defect = findRequestDefect(request);
  if (defect !== null) throw new ModelFault('invalid_request', defect.reason, defect);
  const { bytes, facts } = requestFacts(provider.render(request));
  const { turn, idleTimeoutMs, endGraceMs } = provider;
  const broken = await guardedRead(
    options.signal,
    async (watchdog) => {
      watchdog.touch(idleTimeoutMs);
      const stream = await provider.post({
        body: bytes,
        stream: true,
        signal: watchdog.signal,
        timeout: idleTimeoutMs + 1_000,
        headers: {
          'Content-Type': 'application/json',
          Accept: 'text/event-stream',
          ...originHeaders(options.origin),
        },
      });
      for await (const sent of stream) {
        for (const delta of turn.add(sent)) options.onDelta?.(delta);
        // Leaving the loop would close the connection; the end of the stream is due soon.
        watchdog.touch(turn.isStopped ? endGraceMs : idleTimeoutMs);
      }
    },
    provider.classify,
  );
  // A cut after the stop event costs nothing but, perhaps, the usage.
  const finished = turn.finish(request.model);
  if (finished !== null) return { ...finished, request: facts };
  throw broken ?? new ModelFault('retryable', 'The stream of the model ended without its stop event.');
}
