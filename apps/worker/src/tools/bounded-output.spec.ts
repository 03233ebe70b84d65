import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BoundedOutput } from './bounded-output.js';

function feed(chunks: readonly Uint8Array[], maxBytes: number): BoundedOutput {
  const output = new BoundedOutput(maxBytes);
  for (const chunk of chunks) output.append(chunk);
  return output;
}

describe('bounded output', () => {
  it('keeps the same beginning, end and count, however the bytes are cut into chunks', () => {
    const chunks = fc.array(fc.uint8Array({ min: 97, max: 122, maxLength: 40 }), { maxLength: 60 });
    fc.assert(
      fc.property(chunks, fc.integer({ min: 1, max: 150 }), (parts, half) => {
        const whole = Buffer.concat(parts).toString();
        const output = feed(parts, 2 * half);
        const dropped = Math.max(0, whole.length - 2 * half);
        expect(output.droppedBytes).toBe(dropped);
        expect(output.toText()).toBe(
          dropped === 0
            ? whole
            : `${whole.slice(0, half)}\n[${dropped} bytes were dropped here]\n${whole.slice(-half)}`,
        );
      }),
    );
  });

  it('[M15] characters that the cut goes through are left out, not broken', () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 64 }), fc.integer({ min: 1, max: 200 }), (maxBytes, count) => {
        const text = feed([Buffer.from('é😀'.repeat(count))], maxBytes).toText();
        expect(text).not.toContain('\ufffd');
      }),
    );
  });
});
