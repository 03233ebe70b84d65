import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Answer } from '../protocol/answer.js';
import { capAnswer } from './cap-answer.js';

const call = (name: string, text: string) => ({ id: 'a', name, arguments: text });
const answer = (text: string, ...calls: Answer['calls']): Answer => ({
  reasoning: [],
  text,
  calls,
  finishReason: 'tool_calls',
});

describe('capAnswer', () => {
  it('[L07] an answer over its cap ends with length, in the middle of a call if need be', () => {
    const capped = capAnswer(answer('12345678', call('xx', '{"path":"/a"}'), call('yy', '{}')), 4);
    expect(capped).toEqual({
      reasoning: [],
      text: '12345678',
      calls: [call('xx', '{"path')],
      finishReason: 'length',
    });
  });

  it('an answer within its cap, or without one, is left alone', () => {
    const whole = answer('1234', call('xx', '{}'));
    expect(capAnswer(whole, 2)).toBe(whole);
    expect(capAnswer(whole, null)).toBe(whole);
  });

  it('no code point is cut in two and the cap is kept', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 8 }), (text, cap) => {
        const capped = capAnswer(answer(text), cap);
        expect(text.startsWith(capped.text)).toBe(true);
        expect(/\p{Cs}/u.test(capped.text)).toBe(false);
        expect(Buffer.byteLength(capped.text)).toBeLessThanOrEqual(cap * 4);
      }),
    );
  });
});
