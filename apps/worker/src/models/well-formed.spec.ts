import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { wellFormedJson, wellFormedText } from './well-formed.js';

function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

describe('wellFormedText', () => {
  it('replaces lone surrogates and keeps pairs', () => {
    expect(wellFormedText('a\ud800b\udc00\ud83d\ude00')).toBe('a\ufffdb\ufffd\ud83d\ude00');
  });
});

describe('wellFormedJson', () => {
  it.each([
    [String.raw`"\ud800"`, String.raw`"\ufffd"`],
    [String.raw`"\ud83d\ude00"`, String.raw`"\ud83d\ude00"`],
    [String.raw`"\\ud800"`, String.raw`"\\ud800"`],
    [String.raw`"\\\udc00x"`, String.raw`"\\\ufffdx"`],
    [String.raw`"\ud800\ud83d\ude00"`, String.raw`"\ufffd\ud83d\ude00"`],
    ['{"a":1.10,"b":1e2}', '{"a":1.10,"b":1e2}'],
  ])('turns %s into %s', (json, expected) => {
    expect(wellFormedJson(json)).toBe(expected);
  });

  it('means the same as mending the text itself, however it was escaped', () => {
    const part = fc.oneof(
      fc.constantFrom('\ud800', '\udc00', '\\', 'u', '"'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('');
        const mended = JSON.parse(wellFormedJson(JSON.stringify(text))) as string;
        expect(isWellFormed(mended)).toBe(true);
        expect(mended).toBe(wellFormedText(text));
      }),
    );
  });
});
