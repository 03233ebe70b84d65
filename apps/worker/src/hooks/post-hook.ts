import type { HookReply } from './hook.js';

const mostBytes = 1_048_576;

/**
 * Posts a payload to a service. 200 with an answer or 204 without one; everything else is a failure, redirects too: where a
 * payload goes is the configuration's to say.
 */
export async function postHook(
  url: string,
  payload: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<HookReply> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: payload,
      redirect: 'error',
      signal: AbortSignal.any([signal, late]),
    });
    const text = await boundedText(response);
    if (text === null) return failed(`it answered more than ${mostBytes} bytes`);
    if (response.status === 200 || response.status === 204) return { kind: 'answered', text };
    return failed(`it answered with status ${response.status}`);
  } catch (thrown) {
    if (signal.aborted) return failed('it was cancelled');
    if (late.aborted) return failed(`it took longer than ${timeoutMs} ms`);
    return failed(`it could not be reached: ${causeOf(thrown)}`);
  }
}

/** The body as text, or null when there is more of it than anybody answers. */
async function boundedText(response: Response): Promise<string | null> {
  if (response.body === null) return '';
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > mostBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** What fetch says is "fetch failed"; why stands in its cause. */
function causeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause instanceof Error ? thrown.cause.message : thrown.message;
}

const failed = (reason: string): HookReply => ({ kind: 'failed', reason });
