import { describe, expect, it } from '@jest/globals';
import { measurement } from './measurement.js';
import { quantile } from './median.js';

const about = { suite: 'gate', metric: 'one decision', unit: 'ns' };

describe('a figure', () => {
  it('has no peer, ratio, goal or verdict unless they were given', () => {
    expect(measurement({ ...about, value: 12.34567 })).toEqual({ ...about, value: 12.35 });
  });

  it('divides by its peer, and leaves the ratio to a peer of zero out', () => {
    expect(measurement({ ...about, value: 10, peer: { name: 'naive', value: 40 } })).toEqual({
      ...about,
      value: 10,
      peer: 'naive',
      peerValue: 40,
      ratio: 0.25,
    });
    expect(measurement({ ...about, value: 10, peer: { name: 'naive', value: 0 } })).not.toHaveProperty(
      'ratio',
    );
  });

  it.each([
    [50, { atMost: 50 }, true],
    [50.1, { atMost: 50 }, false],
    [50, { atLeast: 50 }, true],
    [49.9, { atLeast: 50 }, false],
  ])('%d against %j is met: %s', (value, goal, met) => {
    expect(measurement({ ...about, value, goal })).toMatchObject({ goal: 50, met });
  });

  it('is judged before it is rounded', () => {
    expect(measurement({ ...about, value: 50.0001, goal: { atMost: 50 } })).toMatchObject({
      value: 50,
      met: false,
    });
  });
});

describe('quantiles', () => {
  it('are samples by the nearest rank, whatever the order', () => {
    const samples = [30, 9, 100, 20];
    expect([0, 0.25, 0.5, 0.75, 0.99, 1].map((part) => quantile(samples, part))).toEqual([
      9, 9, 20, 30, 100, 100,
    ]);
    expect(samples).toEqual([30, 9, 100, 20]);
  });

  it('of nothing are a fault', () => {
    expect(() => quantile([], 0.5)).toThrow(RangeError);
  });
});
