import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LeaseClock } from './lease-clock.js';

describe('LeaseClock', () => {
  let ended = 0;
  let clock: LeaseClock;

  beforeEach(() => {
    jest.useFakeTimers();
    ended = 0;
    clock = new LeaseClock(() => (ended += 1));
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('holds until its end, and tells of the end once', () => {
    expect(clock.holds()).toBe(false);
    clock.keepUntil(performance.now() + 1000);
    jest.advanceTimersByTime(999);
    expect([clock.holds(), ended]).toEqual([true, 0]);
    jest.advanceTimersByTime(10_000);
    expect([clock.holds(), ended]).toEqual([false, 1]);
  });

  it('a renewal in time moves the end', () => {
    clock.keepUntil(performance.now() + 1000);
    jest.advanceTimersByTime(900);
    clock.keepUntil(performance.now() + 1000);
    jest.advanceTimersByTime(900);
    expect([clock.holds(), ended]).toEqual([true, 0]);
  });

  it('a renewal that is known only after its own end changes nothing', () => {
    expect(clock.keepUntil(performance.now() - 1)).toBe(false);
    expect(clock.holds()).toBe(false);
  });

  it('an ended lease tells nothing', () => {
    clock.keepUntil(performance.now() + 1000);
    clock.end();
    jest.advanceTimersByTime(5000);
    expect([clock.holds(), ended]).toEqual([false, 0]);
  });
});
