import { APIConnectionError, APIError, APIUserAbortError } from 'openai';

import { ModelFault, type ModelFaultCode } from './model-fault.js';
import { readRetryAfter } from './retry-after.js';

// Judged on code and type only: endpoints say "quota" and "billing" in the prose of ordinary throttling too.
const QUOTA = /insufficient_quota|quota_exceeded|billing|insufficient_(?:funds|credits|balance)/i;
const OVERFLOW = /context_length_exceeded|maximum context length|context window|prompt is too long/i;
const REFUSED = /invalid_request|not_found/i;
const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429]);

function isApiError(thrown: unknown): thrown is APIError {
  return thrown instanceof APIError && !(thrown instanceof APIUserAbortError);
}

/** The status of an error; one met inside a stream may carry it as its code. */
function statusOf(error: APIError): number | null {
  if (typeof error.status === 'number') return error.status;
  const code = Number(error.code);
  return Number.isInteger(code) && code >= 400 && code < 600 ? code : null;
}

function byStatus(status: number, text: string): ModelFaultCode {
  if (status >= 500 || RETRIED_STATUSES.has(status)) return 'retryable';
  if (status === 401 || status === 403) return 'credentials';
  if (status === 402) return 'quota';
  return status === 413 || OVERFLOW.test(text) ? 'context_overflow' : 'invalid_request';
}

function byText(kind: string, text: string): ModelFaultCode {
  if (OVERFLOW.test(text)) return 'context_overflow';
  return REFUSED.test(kind) ? 'invalid_request' : 'retryable';
}

function codeOf(status: number | null, error: APIError): ModelFaultCode {
  const kind = `${error.code ?? ''} ${error.type ?? ''}`;
  if (QUOTA.test(kind)) return 'quota';
  const text = `${kind} ${error.message}`;
  return status === null ? byText(kind, text) : byStatus(status, text);
}

/**
 * Turns whatever the `openai` client threw into a fault of our family. Our own cancellation and the idle watchdog are
 * judged by the caller, before this: to the client both are the same abort.
 */
export function classifyOpenAiError(thrown: unknown, nowMs: number, maxDelayMs: number): ModelFault {
  if (!isApiError(thrown)) {
    // A cut in mid-stream is a bare TypeError, a garbled chunk a SyntaxError.
    return new ModelFault('retryable', 'The stream of the model broke off.', { cause: thrown });
  }
  if (thrown instanceof APIConnectionError) {
    return new ModelFault('unreachable', 'The model provider could not be reached.', { cause: thrown });
  }
  const status = statusOf(thrown);
  const delayMs = thrown.headers === undefined ? null : readRetryAfter(thrown.headers, nowMs, maxDelayMs);
  return new ModelFault(codeOf(status, thrown), `The model provider refused: ${thrown.message}`, {
    cause: thrown,
    ...(status === null ? {} : { status }),
    ...(delayMs === null ? {} : { delayMs }),
  });
}
