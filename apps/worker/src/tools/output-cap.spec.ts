import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { capOutput, countCodePoints, EMPTY_OUTPUT, firstCodePoints, lastCodePoints } from './output-cap.js';

const anyText = fc
  .array(fc.constantFrom('a', 'é', '\n', '😀', '👩‍👩‍👧', 'ab'), { maxLength: 1_500 })
  .map((parts) => parts.join(''));

describe('the output cap', () => {
  it('[M15] ten megabytes are cut to the cap, with head, tail and the count of what is gone', () => {
    const { text, full } = capOutput(`start${'x'.repeat(10_000_000)}end`, 1_000);
    expect(countCodePoints(text)).toBeLessThanOrEqual(1_000);
    expect(text.startsWith('startx')).toBe(true);
    expect(text.endsWith('xend')).toBe(true);
    expect(text).toContain('[9999108 of 10000008 characters cut here]');
    expect(full).toHaveLength(10_000_008);
  });

  it('output within the cap is handed on as it is, with nothing beside it', () => {
    expect(capOutput('😀'.repeat(200), 200)).toEqual({ text: '😀'.repeat(200) });
  });

  it('empty output is said to be empty', () => {
    expect(capOutput('', 200)).toEqual({ text: EMPTY_OUTPUT });
  });

  it('a cap too small for the marker is a mistake of the caller', () => {
    expect(() => capOutput('a', 199)).toThrow(RangeError);
  });

  it('[M15] is never longer than the cap, never splits a code point, and counts what is gone exactly', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 200, max: 700 }), (output, cap) => {
        const { text, full } = capOutput(output, cap);
        expect(countCodePoints(text)).toBeLessThanOrEqual(cap);
        expect(Buffer.from(text).toString()).toBe(text);
        if (full === undefined) return;
        const [, cut, total] = /\n\[(\d+) of (\d+) characters cut here\]\n/.exec(text) ?? [];
        const marker = `\n[${cut ?? ''} of ${total ?? ''} characters cut here]\n`;
        expect(Number(total)).toBe(countCodePoints(output));
        expect(countCodePoints(text) - marker.length + Number(cut)).toBe(Number(total));
        expect(full).toBe(output);
      }),
    );
  });

  it('first and last code points put a text together again', () => {
    fc.assert(
      fc.property(anyText, fc.nat(2_000), (text, count) => {
        const total = countCodePoints(text);
        expect(total).toBe(Array.from(text).length);
        const head = Math.min(count, total);
        expect(firstCodePoints(text, head) + lastCodePoints(text, total - head)).toBe(text);
      }),
    );
  });
});
