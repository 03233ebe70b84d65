import { describe, expect, it } from '@jest/globals';
import type { Frame } from '../protocol/protocol.js';
import { planDelivery } from './plan-delivery.js';

const frames: readonly Frame[] = (['content', 'content', 'finish', 'usage', 'done'] as const).map((part) => ({
  part,
  text: part,
}));
const partsOf = (delivery: Parameters<typeof planDelivery>[1]) => {
  const plan = planDelivery(frames, delivery);
  return [...plan.frames.map((frame) => frame.part), plan.end];
};

describe('planDelivery', () => {
  it('without misbehaviour everything goes out and the answer is closed', () => {
    expect(partsOf({})).toEqual(['content', 'content', 'finish', 'usage', 'done', 'close']);
  });
  it('[L07] a stream can lack its finish, its end mark, or both', () => {
    expect(partsOf({ omitFinish: true })).toEqual(['content', 'content', 'usage', 'done', 'close']);
    expect(partsOf({ omitDone: true })).toEqual(['content', 'content', 'finish', 'usage', 'close']);
    expect(partsOf({ omitDone: true, omitFinish: true })).toEqual(['content', 'content', 'usage', 'close']);
  });
  it('a cut or a hang comes after so many frames, none included', () => {
    expect(partsOf({ cutAfterChunks: 1 })).toEqual(['content', 'cut']);
    expect(partsOf({ hangAfterChunks: 2 })).toEqual(['content', 'content', 'hang']);
    expect(partsOf({ cutAfterChunks: 0 })).toEqual(['cut']);
  });
});
