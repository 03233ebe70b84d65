import { APIConnectionError, APIError, APIUserAbortError } from '@anthropic-ai/sdk';

import type { ModelFault } from '../model-fault.js';
import { brokenStream, providerFault, unreachable } from '../provider-error.js';

function isApiError(thrown: unknown): thrown is APIError {
  return thrown instanceof APIError && !(thrown instanceof APIUserAbortError);
}

// An account without credit is told so as an invalid request, which it is not: the same bytes are taken once it is topped up.
const OUT_OF_CREDIT = /credit balance is too low/i;

function kindOf(error: APIError): string {
  const isOutOfCredit = error.status === 400 && OUT_OF_CREDIT.test(error.apiMessage ?? '');
  return isOutOfCredit ? 'billing_error' : `${error.errorCode ?? ''} ${error.type ?? ''}`;
}

/**
 * Turns whatever the Anthropic client threw into a fault of our family. Our own cancellation and the idle watchdog are
 * judged by the caller, before this: to the client both are the same abort.
 */
export function classifyAnthropicError(thrown: unknown, nowMs: number, maxDelayMs: number): ModelFault {
  if (!isApiError(thrown)) return brokenStream(thrown);
  if (thrown instanceof APIConnectionError) return unreachable(thrown);
  const error = {
    status: typeof thrown.status === 'number' ? thrown.status : null,
    kind: kindOf(thrown),
    message: thrown.apiMessage ?? thrown.message,
    headers: thrown.headers,
  };
  return providerFault(error, thrown, nowMs, maxDelayMs);
}
