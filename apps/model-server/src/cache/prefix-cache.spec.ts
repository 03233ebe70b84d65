import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { commonPrefixLength } from './common-prefix-length.js';
import { PrefixCache } from './prefix-cache.js';

const roomy = { bodies: 1000, bytes: 1_000_000 };
const bodies = fc.array(
  fc.array(fc.constantFrom(0, 1, 255), { maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
);

function slowPrefix(a: Buffer, b: Buffer): number {
  let length = 0;
  while (length < Math.min(a.length, b.length) && a[length] === b[length]) length += 1;
  return length;
}

describe('PrefixCache', () => {
  it('[P05] the shared bytes are the longest beginning of any earlier body', () => {
    fc.assert(
      fc.property(bodies, (all) => {
        const cache = new PrefixCache(roomy);
        all.forEach((body, index) => {
          const expected = Math.max(0, ...all.slice(0, index).map((earlier) => slowPrefix(earlier, body)));
          expect(cache.observe(body)).toBe(expected);
        });
      }),
    );
  });

  it('only the newest bodies are remembered, by count and by bytes', () => {
    fc.assert(
      fc.property(bodies, fc.integer({ min: 1, max: 5 }), (all, kept) => {
        const cache = new PrefixCache({ bodies: kept, bytes: 30 });
        for (const body of all) {
          cache.observe(body);
          expect(cache.size).toBeLessThanOrEqual(kept);
        }
      }),
    );
  });

  it('a body over the byte limit is forgotten at once, and an older one before a newer', () => {
    const cache = new PrefixCache({ bodies: 10, bytes: 6 });
    cache.observe(Buffer.from('aaaa'));
    cache.observe(Buffer.from('bbbb'));
    expect(cache.observe(Buffer.from('aa'))).toBe(0);
    cache.observe(Buffer.from('ccccccccc'));
    expect(cache.size).toBe(0);
  });

  it('a body seen again counts as new', () => {
    const cache = new PrefixCache({ bodies: 2, bytes: 100 });
    cache.observe(Buffer.from('aaaa'));
    cache.observe(Buffer.from('bbbb'));
    cache.observe(Buffer.from('aaaa'));
    cache.observe(Buffer.from('cccc'));
    expect(cache.observe(Buffer.from('aaaa'))).toBe(4);
    expect(cache.observe(Buffer.from('bbbb'))).toBe(0);
  });
});

describe('commonPrefixLength', () => {
  it('agrees with counting byte by byte', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), fc.uint8Array(), (shared, x, y) => {
        const [a, b] = [Buffer.from([...shared, ...x]), Buffer.from([...shared, ...y])];
        expect(commonPrefixLength(a, b)).toBe(slowPrefix(a, b));
      }),
    );
  });
});
