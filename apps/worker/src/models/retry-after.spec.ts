import { describe, expect, it } from '@jest/globals';

import { readRetryAfter } from './retry-after.js';

const now = Date.parse('2026-03-01T12:00:00Z');
const hour = 3_600_000;

describe('readRetryAfter', () => {
  it.each([
    ['30', 30_000],
    ['0', 0],
    ['1.5', 1_500],
    [' 7 ', 7_000],
    ['999999', hour],
    ['Sun, 01 Mar 2026 12:00:20 GMT', 20_000],
    ['Sunday, 01-Mar-26 12:00:20 GMT', 20_000],
    ['Sun Mar  1 12:00:20 2026', 20_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Sun, 01 Mar 2037 12:00:00 GMT', hour],
    ['abc', null],
    ['-5', null],
    ['', null],
    ['2026-03-01T12:00:20Z', null],
    ['Sun, 99 Foo 2026', null],
    ['1e3', null],
  ])('[L09] reads "%s" as %s ms', (value, expected) => {
    expect(readRetryAfter(new Headers({ 'retry-after': value }), now, hour)).toBe(expected);
  });

  it("[L09] measures a date by the provider's own clock", () => {
    const headers = new Headers({
      'retry-after': 'Sun, 01 Mar 2026 13:00:20 GMT',
      date: 'Sun, 01 Mar 2026 13:00:00 GMT',
    });
    expect(readRetryAfter(headers, now, hour)).toBe(20_000);
  });

  it('prefers the finer header, and says nothing where there is none', () => {
    expect(readRetryAfter(new Headers({ 'retry-after-ms': '250', 'retry-after': '1' }), now, hour)).toBe(250);
    expect(readRetryAfter(new Headers(), now, hour)).toBeNull();
  });
});
