import { describe, expect, it } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import { isTransient } from './retry-transient.js';

describe('isTransient', () => {
  it.each([
    ['a deadlock', { code: '40P01' }, true],
    ['a server that ends its backends', { code: '57P01' }, true],
    ['a failed connection', { code: '08006' }, true],
    ['a refused connection', { code: 'ECONNREFUSED' }, true],
    ['a lost connection without a code', { message: 'Connection terminated unexpectedly' }, true],
    ['a unique violation', { code: '23505', message: 'duplicate key' }, false],
    ['a bad statement', { code: '42601', message: 'syntax error' }, false],
  ])('%s, thrown by another realm too', (_name, parts, isRetried) => {
    const foreign: unknown = runInNewContext('Object.assign(new Error(), parts)', { parts });
    expect(foreign).not.toBeInstanceOf(Error);
    expect(isTransient(foreign)).toBe(isRetried);
    expect(isTransient(Object.assign(new Error(), parts))).toBe(isRetried);
  });

  it('what is no error is not', () => {
    for (const thrown of [null, undefined, 'connection terminated', 40])
      expect(isTransient(thrown)).toBe(false);
  });
});
