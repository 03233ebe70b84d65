import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';

/** A server sent more than is read. Errors the response it came in. */
export class AnswerTooLargeError extends Error {
  readonly code = 'ANSWER_TOO_LARGE';
}

const NEWLINE = 10;

/** Errors a stream of which more than `maxBytes` come, or, of an event stream that may go on for ever, come without a line's end. */
function bound(maxBytes: number, isEventStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const lastLine = isEventStream ? chunk.lastIndexOf(NEWLINE) : -1;
      bytes = lastLine === -1 ? bytes + chunk.length : chunk.length - lastLine;
      if (bytes > maxBytes) throw new AnswerTooLargeError(`The answer is larger than ${maxBytes} bytes.`);
      controller.enqueue(chunk);
    },
  });
}

/** Fetch whose answers are bounded in memory: the SDK reads a message whole, whatever its size. */
export function boundedFetch(maxBytes: number, inner: FetchLike = fetch): FetchLike {
  return async (url, init) => {
    const response = await inner(url, init);
    if (response.body === null || !response.ok) return response;
    const isEventStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bound(maxBytes, isEventStream)), {
      status,
      statusText,
      headers,
    });
  };
}
