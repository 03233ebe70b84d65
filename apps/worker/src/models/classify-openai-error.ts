import { APIConnectionError, APIError, APIUserAbortError } from 'openai';

import type { ModelFault } from './model-fault.js';
import { brokenStream, providerFault, unreachable } from './provider-error.js';

function isApiError(thrown: unknown): thrown is APIError {
  return thrown instanceof APIError && !(thrown instanceof APIUserAbortError);
}

/** The status of an error; one met inside a stream may carry it as its code. */
function statusOf(error: APIError): number | null {
  if (typeof error.status === 'number') return error.status;
  const code = Number(error.code);
  return Number.isInteger(code) && code >= 400 && code < 600 ? code : null;
}

/**
 * Turns whatever the `openai` client threw into a fault of our family. Our own cancellation and the idle watchdog are
 * judged by the caller, before this: to the client both are the same abort.
 */
export function classifyOpenAiError(thrown: unknown, nowMs: number, maxDelayMs: number): ModelFault {
  if (!isApiError(thrown)) return brokenStream(thrown);
  if (thrown instanceof APIConnectionError) return unreachable(thrown);
  const error = {
    status: statusOf(thrown),
    kind: `${thrown.code ?? ''} ${thrown.type ?? ''}`,
    message: thrown.message,
    headers: thrown.headers,
  };
  return providerFault(error, thrown, nowMs, maxDelayMs);
}
