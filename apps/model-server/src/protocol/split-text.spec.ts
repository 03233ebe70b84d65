import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitText } from './split-text.js';

describe('splitText', () => {
  it('pieces join to the text, none is empty, too long, or cuts a code point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 5 }), (text, size) => {
        const pieces = splitText(text, size);
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) {
          expect(Array.from(piece).length).toBeGreaterThan(0);
          expect(Array.from(piece).length).toBeLessThanOrEqual(size);
          expect(/\p{Cs}/u.test(piece)).toBe(false);
        }
      }),
    );
  });
});
