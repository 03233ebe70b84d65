import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findBrokenJsonLimit, JSON_LIMITS, type JsonLimits } from './json-limits.js';

/** Depth and nodes by walking the parsed value, the other way to count. */
function measure(value: unknown): { depth: number; nodes: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, nodes: 1 };
  const inner = Object.values(value).map(measure);
  return {
    depth: 1 + Math.max(0, ...inner.map((one) => one.depth)),
    nodes: 1 + inner.reduce((sum, one) => sum + one.nodes, 0),
  };
}

describe('the limits of JSON text', () => {
  it.each([65, 1_500, 6_000, 100_000])(
    '[E11] text nested %i deep is named too deep, without recursion',
    (depth) => {
      expect(findBrokenJsonLimit('['.repeat(depth) + ']'.repeat(depth))).toBe('nested deeper than 64');
      expect(findBrokenJsonLimit('{"a":'.repeat(depth) + '1' + '}'.repeat(depth))).toBe(
        'nested deeper than 64',
      );
    },
  );

  it('text nested exactly as deep as the limit is let through', () => {
    expect(findBrokenJsonLimit('['.repeat(64) + ']'.repeat(64))).toBeUndefined();
  });

  it('too many values are named, and too many bytes', () => {
    expect(findBrokenJsonLimit(`[${'1,'.repeat(JSON_LIMITS.nodes)}1]`)).toContain('values');
    expect(findBrokenJsonLimit(`"${'é'.repeat(JSON_LIMITS.sizeBytes / 2)}"`)).toContain('bytes');
  });

  it('brackets, commas and escaped quotes inside strings count for nothing', () => {
    expect(findBrokenJsonLimit(JSON.stringify({ a: '[{,"\\'.repeat(1_000) }))).toBeUndefined();
  });

  it('agrees with a walk over the value on depth, and counts no fewer values and at most twice as many', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const { depth, nodes } = measure(JSON.parse(text));
        const within = (limits: Partial<JsonLimits>) =>
          findBrokenJsonLimit(text, { ...JSON_LIMITS, ...limits });
        expect(within({ depth })).toBeUndefined();
        if (depth > 0) expect(within({ depth: depth - 1 })).toBeDefined();
        expect(within({ nodes: nodes - 1 })).toBeDefined();
        expect(within({ nodes: 2 * nodes })).toBeUndefined();
      }),
    );
  });
});
