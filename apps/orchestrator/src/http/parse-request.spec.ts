import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { parseRequest } from './parse-request.js';
import { ProblemError } from './problem.js';

const Request = z.strictObject({
  model: z.string(),
  count: z.number().exactOptional(),
  rules: z.strictObject({ allow: z.array(z.string()).exactOptional() }).exactOptional(),
  servers: z.record(z.string(), z.strictObject({ url: z.string() })).exactOptional(),
  mode: z.string().startsWith('m', 'must begin with m').exactOptional(),
});

function refusalOf(body: unknown): string {
  try {
    parseRequest(Request, body);
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.detail;
    throw error;
  }
  return 'accepted';
}

describe('a request that is refused', () => {
  it('lists the keys that are known where one is not', () => {
    expect(refusalOf({ model: 'm', modle: 'x' })).toBe(
      'Unrecognized key: "modle"; known are model, count, rules, servers, mode',
    );
    expect(refusalOf({ model: 'm', rules: { alow: [] } })).toBe(
      'rules: Unrecognized key: "alow"; known are allow',
    );
    expect(refusalOf({ model: 'm', servers: { a: { url: 'u', x: 1 } } })).toBe(
      'servers.a: Unrecognized key: "x"; known are url',
    );
  });

  it('says what a field must be, and whether it is missing', () => {
    expect(refusalOf({})).toBe('model: must be a string, and is missing');
    expect(refusalOf({ model: 1, rules: { allow: 'x' } })).toBe(
      'model: must be a string; rules.allow: must be an array',
    );
    expect(refusalOf({ model: 'm', mode: 'x' })).toBe('mode: must begin with m');
  });
});
