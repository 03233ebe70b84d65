import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { GrowingSet } from './growing-set.js';

describe('a growing set', () => {
  it('is at every step the set of what was added on its way, whichever older set is grown again', () => {
    // Each step grows one of the sets so far: (which of them, what).
    const steps = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 12 })), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (grown) => {
        const sets = [{ own: GrowingSet.of<number>(), plain: new Set<number>() }];
        for (const [which, member] of grown) {
          const from = sets[which % sets.length]!;
          sets.push({ own: from.own.with(member), plain: new Set(from.plain).add(member) });
        }
        for (const { own, plain } of sets) {
          expect([...own]).toEqual([...plain]);
          expect(own.size).toBe(plain.size);
          for (let member = 0; member <= 12; member += 1) expect(own.has(member)).toBe(plain.has(member));
        }
      }),
    );
  });

  it('takes a member that is there already for no change', () => {
    const set = GrowingSet.of('a', 'b', 'a');
    expect(set.size).toBe(2);
    expect(set.with('b')).toBe(set);
  });

  it('is equal to another one with the same members only', () => {
    expect(GrowingSet.of(1).with(2)).toEqual(GrowingSet.of(1, 2));
    expect(GrowingSet.of(1).with(2)).not.toEqual(GrowingSet.of(1, 3));
    expect(GrowingSet.of(1)).not.toEqual(GrowingSet.of(1).with(2));
  });
});
