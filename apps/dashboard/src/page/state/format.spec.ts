import { describe, expect, it } from '@jest/globals';
import { formatCost, formatCount, formatDuration, formatShare } from './format.js';
import { isAfter } from './instant.js';

describe('numbers to read', () => {
  it.each([
    [840, '840 ms'],
    [3249, '3.2 s'],
    [59_999, '59.9 s'],
    [245_000, '4 min 05 s'],
    [7_800_000, '2 h 10 min'],
    [273_600_000, '3 d 4 h'],
    [-5, '0 ms'],
  ])('a duration of %i ms is %s', (ms, shown) => expect(formatDuration(ms)).toBe(shown));

  it('a share is never rounded up to all or down to nothing', () => {
    expect([0, 0.004, 0.999, 1].map(formatShare)).toEqual(['0 %', '<1 %', '99 %', '100 %']);
  });

  it('small costs keep their digits', () => {
    expect([0, 0.0042, 1.2].map(formatCost)).toEqual(['$0.00', '$0.0042', '$1.20']);
  });

  it('counts are grouped, large ones shortened', () => {
    expect([999, 12_345, 1_234_567].map(formatCount)).toEqual(['999', '12,345', '1.2M']);
  });
});

describe('the order of instants', () => {
  it('sees microseconds, and equal instants of different precision as equal', () => {
    expect(isAfter('2026-05-04T09:00:00.123457Z', '2026-05-04T09:00:00.123456Z')).toBe(true);
    expect(isAfter('2026-05-04T09:00:00.123000Z', '2026-05-04T09:00:00.123Z')).toBe(false);
    expect(isAfter('2026-05-04T09:00:00.123Z', '2026-05-04T09:00:00.123000Z')).toBe(false);
    expect(isAfter('2026-05-04T11:00:00+02:00', '2026-05-04T08:59:59Z')).toBe(true);
  });
});
