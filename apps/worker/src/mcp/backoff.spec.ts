import { describe, expect, it } from '@jest/globals';
import { Backoff } from './backoff.js';

describe('the backoff of a server', () => {
  it('doubles from half a second to half a minute and starts anew after a success', () => {
    let now = 0;
    const backoff = new Backoff(
      () => now,
      () => 1,
    );
    expect(backoff.waitMs).toBe(0);
    const waits = Array.from({ length: 8 }, () => {
      backoff.failed();
      return backoff.waitMs;
    });
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    now = 40_000;
    expect(backoff.waitMs).toBe(0);
    backoff.succeeded();
    backoff.failed();
    expect(backoff.waitMs).toBe(500);
  });
});
