import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PlacedMessage } from '#agents';
import type { Message } from '#transcripts';
import { says, call } from '#transcripts/testing';
import { planCompaction } from './plan-compaction.js';

const user = (text: string): Message => ({ role: 'user', blocks: [{ type: 'text', text }] });
const result = (callId: string): Message => ({
  role: 'tool',
  blocks: [{ type: 'result', callId, name: 'glob', content: 'found', isError: false }],
});
const place = (version: number, message: Message): PlacedMessage => ({ version, message });

const prompt = 'Do your part. Only glob may run.';
const fork = [
  place(0, user('plan it')),
  place(0, says('planned')),
  place(3, user(prompt)),
  place(5, says('looking', call('glob', 'a'))),
  place(7, result('a')),
  place(8, says('looking on', call('glob', 'b'))),
  place(10, result('b')),
];

describe('the plan of a compaction', () => {
  it('[L15] keeps directive and restriction word for word, wherever they stand', () => {
    for (const tail of [0, 250, 1_000]) {
      const plan = planCompaction(fork, prompt, tail);
      const tailOfIt = fork
        .filter(({ version }) => version > (plan?.upTo ?? 99))
        .map(({ message }) => message);
      const kept = [...(plan?.pinned ?? []), ...tailOfIt];
      expect(kept.filter((message) => JSON.stringify(message).includes(prompt))).toHaveLength(1);
      expect(plan?.summarised.length).toBeGreaterThan(0);
    }
  });

  it('[L15] keeps directive and restriction also when something else is asked by now', () => {
    const asked = [...fork, place(11, says('done')), place(12, user('and then?')), place(13, says('that'))];
    expect(planCompaction(asked, prompt, 0)?.pinned).toEqual([user(prompt), user('and then?')]);
  });

  it('replaces what was inherited alone where the rest fits', () => {
    expect(planCompaction(fork, prompt, 1_500)).toEqual({
      upTo: 1,
      summarised: [user('plan it'), says('planned')],
      pinned: [],
    });
  });

  it('never cuts between a call and its result, nor inside of one event', () => {
    expect(planCompaction(fork, prompt, 300)).toMatchObject({ upTo: 7, pinned: [user(prompt)] });
    const chunk = [place(2, user('a')), place(2, says('b')), place(2, user('c')), place(4, says('d'))];
    expect(planCompaction(chunk, null, 400)).toMatchObject({ upTo: 2, pinned: [user('c')] });
  });

  it('[L01] takes results that were recorded behind a later message with the calls that they answer', () => {
    const history = [
      place(2, user('old')),
      place(4, says('looking', call('glob', 'a'))),
      place(9, result('a')),
      place(6, user('meanwhile')),
      place(10, says('found')),
    ];
    expect(planCompaction(history, null, 150)).toMatchObject({ upTo: 9, pinned: [user('meanwhile')] });
    expect(planCompaction(history, null, 500)).toMatchObject({ upTo: 2 });
  });

  it('keeps the question that is being answered', () => {
    const session = [
      place(2, user('old')),
      place(4, says('done')),
      place(6, user('new')),
      place(8, says('hm')),
    ];
    expect(planCompaction(session, null, 0)).toEqual({
      upTo: 8,
      summarised: [user('old'), says('done'), says('hm')],
      pinned: [user('new')],
    });
  });

  it('[L15] is none where only what may not go is left', () => {
    expect(planCompaction([place(3, user(prompt))], prompt, 0)).toBeNull();
    expect(planCompaction([], null, 0)).toBeNull();
    expect(planCompaction([place(2, user('a')), place(4, says('b'))], null, 1_000_000)).toBeNull();
  });

  it('loses no message: each is summarised, pinned or left where it is', () => {
    fc.assert(
      fc.property(fc.nat(2_000), fc.array(fc.nat(3), { maxLength: 12 }), (tail, steps) => {
        let version = 1;
        const places = steps.map((step, index) =>
          place((version += step), index % 3 === 0 ? user('q') : says('a')),
        );
        const plan = planCompaction(places, null, tail);
        if (plan === null) return;
        const left = places.filter((one) => one.version > plan.upTo);
        expect(plan.summarised.length + plan.pinned.length + left.length).toBe(places.length);
      }),
    );
  });
});
