import { describe, expect, it } from '@jest/globals';
import { APIConnectionError, APIError, APIUserAbortError } from 'openai';

import { classifyOpenAiError } from './classify-openai-error.js';

function answered(status: number, error: object = {}, headers: Record<string, string> = {}): unknown {
  return APIError.generate(status, { error }, undefined, new Headers(headers));
}
function streamed(error: object): unknown {
  return new APIError(undefined, error, undefined, new Headers());
}
const classify = (thrown: unknown) => classifyOpenAiError(thrown, 0, 60_000);

describe('classifyOpenAiError', () => {
  it.each([
    ['throttling', answered(429, { code: 'rate_limit_exceeded' }), 'retryable'],
    [
      'throttling that speaks of quota in prose',
      answered(429, { message: 'quota, check your billing' }),
      'retryable',
    ],
    ['a spent quota', answered(429, { code: 'insufficient_quota' }), 'quota'],
    ['a closed account', answered(403, { type: 'billing_not_active' }), 'quota'],
    ['payment required', answered(402), 'quota'],
    ['a bad key', answered(401), 'credentials'],
    ['a forbidden model', answered(403), 'credentials'],
    ['overload', answered(503), 'retryable'],
    ['overload in the other spelling', answered(529), 'retryable'],
    ['a timeout', answered(408), 'retryable'],
    ['a bad request', answered(400, { message: 'messages[3] is empty' }), 'invalid_request'],
    ['an unknown model', answered(404), 'invalid_request'],
    ['an overflow by code', answered(400, { code: 'context_length_exceeded' }), 'context_overflow'],
    [
      'an overflow by message',
      answered(400, { message: 'maximum context length is 8192' }),
      'context_overflow',
    ],
    ['a body that is too large', answered(413), 'context_overflow'],
    ['an error inside the stream', streamed({ message: 'overloaded' }), 'retryable'],
    ['a status as code inside the stream', streamed({ code: 401 }), 'credentials'],
    ['a refusal inside the stream', streamed({ type: 'invalid_request_error' }), 'invalid_request'],
    ['no connection', new APIConnectionError({ message: 'x' }), 'unreachable'],
    ['a cut in mid-stream', new TypeError('terminated'), 'retryable'],
    ['an abort that nobody owns up to', new APIUserAbortError(), 'retryable'],
  ])('[L09] %s', (_name, thrown, code) => {
    expect(classify(thrown)).toMatchObject({ code, cause: thrown });
  });

  it('[L09] carries the clamped wish of the provider, and none where there is none', () => {
    expect(classify(answered(429, {}, { 'retry-after': '7' })).delayMs).toBe(7_000);
    expect(classify(answered(429, {}, { 'retry-after': '999999' })).delayMs).toBe(60_000);
    expect(classify(answered(429, {}, { 'retry-after': 'abc' })).delayMs).toBeNull();
  });
});
