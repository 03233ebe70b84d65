import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isIntact, sealReasoning } from './sealed-reasoning.js';

const texts = fc.array(fc.string(), { minLength: 1, maxLength: 4 });

describe('sealed reasoning', () => {
  it('[L21] what was sealed is intact for its model and for no other', () => {
    fc.assert(
      fc.property(texts, fc.string(), fc.string(), (thoughts, model, other) => {
        const sealed = sealReasoning(model, thoughts);
        expect(isIntact(model, sealed)).toBe(true);
        expect(isIntact(other, sealed)).toBe(other === model);
      }),
    );
  });

  it('[L21] rewriting the place in front of a seal does not make a part pass for the whole', () => {
    const [first] = sealReasoning('m', ['a', 'b']);
    expect(isIntact('m', [{ text: 'a', seal: (first?.seal ?? '').replace('1/2', '1/1') }])).toBe(false);
  });

  it('[L21] leaving out one of several blocks, or changing one text, breaks the seal', () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.string({ minLength: 1 }), (thoughts, at, more) => {
        const sealed = sealReasoning('m', thoughts);
        const index = at % sealed.length;
        const changed = sealed.map((block, n) =>
          n === index ? { ...block, text: block.text + more } : block,
        );
        expect(isIntact('m', changed)).toBe(false);
        const partial = sealed.filter((_block, n) => n !== index);
        expect(isIntact('m', partial)).toBe(partial.length === 0);
      }),
    );
  });
});
