import { describe, expect, it } from '@jest/globals';
import { countDeath, respawnDelayMs } from './backoff.js';

const backoff = { firstMs: 100, highestMs: 1000, healthyMs: 5000 };

describe('the wait before a respawn', () => {
  it('doubles with each death in a row, up to the highest', () => {
    expect([1, 2, 3, 4, 5, 2000].map((deaths) => respawnDelayMs(backoff, deaths))).toEqual([
      100, 200, 400, 800, 1000, 1000,
    ]);
  });

  it('starts anew after a healthy while, and only then', () => {
    expect(countDeath(backoff, 4, 4999)).toBe(5);
    expect(countDeath(backoff, 4, 5000)).toBe(1);
  });
});
