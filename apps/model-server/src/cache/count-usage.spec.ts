import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countUsage } from './count-usage.js';

const answer = {
  reasoning: ['12345678'],
  text: '1234',
  calls: [{ id: 'a', name: 'ab', arguments: '{}' }],
  finishReason: 'tool_calls' as const,
};

describe('countUsage', () => {
  it('four bytes are a token, a cache unit is sixteen bytes, and reasoning is part of the completion', () => {
    expect(countUsage({ bodyBytes: 101, sharedBytes: 47, cacheableBytes: null }, answer)).toEqual({
      prompt: 26,
      cacheRead: 8,
      cacheWrite: 0,
      completion: 4,
      reasoning: 2,
    });
  });

  it('[P10] with a cache mark, reads and writes stay apart and below the mark', () => {
    expect(countUsage({ bodyBytes: 200, sharedBytes: 64, cacheableBytes: 100 }, answer)).toMatchObject({
      prompt: 50,
      cacheRead: 16,
      cacheWrite: 8,
    });
    expect(countUsage({ bodyBytes: 200, sharedBytes: 200, cacheableBytes: 0 }, answer)).toMatchObject({
      cacheRead: 0,
      cacheWrite: 0,
    });
  });

  it('[P10] what was read and written never exceeds the prompt', () => {
    const bytes = fc.nat(10_000);
    fc.assert(
      fc.property(bytes, bytes, fc.option(bytes), (size, shared, marked) => {
        const within = (part: number) => Math.min(part, size);
        const usage = countUsage(
          {
            bodyBytes: size,
            sharedBytes: within(shared),
            cacheableBytes: marked === null ? null : within(marked),
          },
          answer,
        );
        expect(usage.cacheRead + usage.cacheWrite).toBeLessThanOrEqual(usage.prompt);
      }),
    );
  });
});
