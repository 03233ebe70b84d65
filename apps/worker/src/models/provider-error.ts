import { ModelFault, type ModelFaultCode } from './model-fault.js';
import { readRetryAfter, type RetryHeaders } from './retry-after.js';

/** What a provider's client knows of an error, in the words that the providers share. */
export interface ProviderError {
  /** The HTTP status; one met inside a stream may have none. */
  readonly status: number | null;
  /** Code and type as the provider spells them, without its prose. */
  readonly kind: string;
  readonly message: string;
  readonly headers: RetryHeaders | undefined;
}

// Judged on code and type only: endpoints say "quota" and "billing" in the prose of ordinary throttling too.
const QUOTA = /insufficient_quota|quota_exceeded|billing|spend_limit|insufficient_(?:funds|credits|balance)/i;
const OVERFLOW =
  /context_length_exceeded|maximum context length|context window|exceed context limit|prompt is too long/i;
const CREDENTIALS = /authentication_error|permission_error/i;
const REFUSED = /invalid_request|not_found/i;
const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429]);

function byStatus(status: number, text: string): ModelFaultCode {
  if (status >= 500 || RETRIED_STATUSES.has(status)) return 'retryable';
  if (status === 401 || status === 403) return 'credentials';
  if (status === 402) return 'quota';
  return status === 413 || OVERFLOW.test(text) ? 'context_overflow' : 'invalid_request';
}

function byText(kind: string, text: string): ModelFaultCode {
  if (OVERFLOW.test(text)) return 'context_overflow';
  if (CREDENTIALS.test(kind)) return 'credentials';
  return REFUSED.test(kind) ? 'invalid_request' : 'retryable';
}

function codeOf({ status, kind, message }: ProviderError): ModelFaultCode {
  if (QUOTA.test(kind)) return 'quota';
  const text = `${kind} ${message}`;
  return status === null ? byText(kind, text) : byStatus(status, text);
}

/** The fault that a provider's refusal amounts to, with the time it asks us to stay away, at most `maxDelayMs`. */
export function providerFault(
  error: ProviderError,
  cause: unknown,
  nowMs: number,
  maxDelayMs: number,
): ModelFault {
  const delayMs = error.headers === undefined ? null : readRetryAfter(error.headers, nowMs, maxDelayMs);
  return new ModelFault(codeOf(error), `The model provider refused: ${error.message}`, {
    cause,
    ...(error.status === null ? {} : { status: error.status }),
    ...(delayMs === null ? {} : { delayMs }),
  });
}

/** A cut in mid-stream is a bare TypeError, a garbled chunk a SyntaxError. */
export const brokenStream = (cause: unknown): ModelFault =>
  new ModelFault('retryable', 'The stream of the model broke off.', { cause });

export const unreachable = (cause: unknown): ModelFault =>
  new ModelFault('unreachable', 'The model provider could not be reached.', { cause });
