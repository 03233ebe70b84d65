import { describe, expect, it } from '@jest/globals';
import { APIConnectionError, APIError, APIUserAbortError } from '@anthropic-ai/sdk';

import { classifyAnthropicError } from './classify-anthropic-error.js';

function answered(status: number, error: object = {}, headers: Record<string, string> = {}): unknown {
  return APIError.generate(status, { type: 'error', error }, undefined, new Headers(headers));
}
function streamed(
  type: 'overloaded_error' | 'rate_limit_error' | 'invalid_request_error' | 'authentication_error',
) {
  const body = { type: 'error', error: { type, message: 'x' } };
  return new APIError(undefined, body, undefined, new Headers(), type);
}
const classify = (thrown: unknown) => classifyAnthropicError(thrown, 0, 60_000);

describe('classifyAnthropicError', () => {
  it.each([
    ['throttling', answered(429, { type: 'rate_limit_error' }), 'retryable'],
    ['throttling that speaks of billing in prose', answered(429, { message: 'see billing' }), 'retryable'],
    ['overload', answered(529, { type: 'overloaded_error' }), 'retryable'],
    ['a fault of theirs', answered(500, { type: 'api_error' }), 'retryable'],
    ['an unavailable service', answered(503), 'retryable'],
    ['a timeout', answered(408), 'retryable'],
    ['a bill that is not paid', answered(402, { type: 'billing_error' }), 'quota'],
    [
      'a spent limit',
      answered(429, { type: 'rate_limit_error', details: { error_code: 'enforced_spend_limit_reached' } }),
      'quota',
    ],
    [
      'an account without credit, told as an invalid request',
      answered(400, {
        type: 'invalid_request_error',
        message: 'Your credit balance is too low to access the API.',
      }),
      'quota',
    ],
    ['a bad key', answered(401, { type: 'authentication_error' }), 'credentials'],
    ['a forbidden model', answered(403, { type: 'permission_error' }), 'credentials'],
    [
      'a bad request',
      answered(400, { type: 'invalid_request_error', message: 'messages.3: empty' }),
      'invalid_request',
    ],
    ['an unknown model', answered(404, { type: 'not_found_error' }), 'invalid_request'],
    [
      'an overflow',
      answered(400, { type: 'invalid_request_error', message: 'prompt is too long: 5 tokens > 4 maximum' }),
      'context_overflow',
    ],
    [
      'an overflow by the cap',
      answered(400, { message: 'input length and `max_tokens` exceed context limit: 3 + 2 > 4' }),
      'context_overflow',
    ],
    ['a body that is too large', answered(413, { type: 'request_too_large' }), 'context_overflow'],
    ['overload inside the stream', streamed('overloaded_error'), 'retryable'],
    ['throttling inside the stream', streamed('rate_limit_error'), 'retryable'],
    ['a refusal inside the stream', streamed('invalid_request_error'), 'invalid_request'],
    ['a bad key inside the stream', streamed('authentication_error'), 'credentials'],
    ['no connection', new APIConnectionError({ message: 'x' }), 'unreachable'],
    ['a cut in mid-stream', new TypeError('terminated'), 'retryable'],
    ['an abort that nobody owns up to', new APIUserAbortError(), 'retryable'],
  ])('[L09] %s', (_name, thrown, code) => {
    expect(classify(thrown)).toMatchObject({ code, cause: thrown });
  });

  it('[L09] carries the clamped wish of the provider', () => {
    expect(classify(answered(429, {}, { 'retry-after': '7' })).delayMs).toBe(7_000);
    expect(classify(answered(529, {}, { 'retry-after': '999999' })).delayMs).toBe(60_000);
    expect(classify(answered(429, {}, { 'retry-after': '-5' })).delayMs).toBeNull();
  });
});
