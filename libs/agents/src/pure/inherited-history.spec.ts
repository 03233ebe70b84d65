import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AssistantMessage, Message } from '#transcripts';
import { call, says } from '#transcripts/testing';
import type { History } from './history-builder.js';
import { inheritedHistory, isRealUserTurn, openCallPlaceholder } from './inherited-history.js';
import { pairingDefect } from './pairing.js';

const user = (...texts: readonly string[]): Message => ({
  role: 'user',
  blocks: texts.map((text) => ({ type: 'text', text })),
});
const reminder = '<system-reminder>be brief</system-reminder>';
const opaque = { type: 'opaque' as const, provider: 'anthropic', raw: '{"signature":"x"}' };
const open: AssistantMessage = {
  role: 'assistant',
  blocks: [
    opaque,
    { type: 'text', text: 'launching' },
    call('agent', 'c0', '{"prompt":"secret of the first sibling"}'),
    call('agent', 'c1', '{"prompt":"secret of the second sibling"}'),
  ],
};
const inside: History = {
  messages: [user('go'), open],
  openBatch: { turn: 1, message: open, results: new Map() },
  inheritedLengths: [],
};

const whole = (messages: readonly Message[], inheritedLengths: readonly number[] = []): History => ({
  messages,
  openBatch: null,
  inheritedLengths,
});

describe('inheritedHistory', () => {
  it('a history without an open batch is inherited as it is', () => {
    const messages = [user('a'), says('b')];
    expect(inheritedHistory(whole(messages), 'all').messages).toEqual(messages);
  });

  it('siblings of a batch inherit the same bytes, and none sees the directive of another', () => {
    const answered = new Map([
      [0, { type: 'result' as const, callId: 'c0', name: 'agent', content: 'r', isError: false }],
    ]);
    const later: History = { ...inside, openBatch: { turn: 1, message: open, results: answered } };
    const text = JSON.stringify(inheritedHistory(inside, 'all'));
    expect(JSON.stringify(inheritedHistory(later, 'all'))).toBe(text);
    expect(text).not.toContain('sibling');
    expect(text).not.toContain('signature');
  });

  it('every open call is kept with empty arguments and one identical placeholder, and a provider accepts that', () => {
    const { messages } = inheritedHistory(inside, 'all');
    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        blocks: [{ type: 'text', text: 'launching' }, call('agent', 'c0'), call('agent', 'c1')],
      },
      {
        role: 'tool',
        blocks: ['c0', 'c1'].map((callId) => ({
          type: 'result',
          callId,
          name: 'agent',
          content: openCallPlaceholder,
          isError: false,
        })),
      },
    ]);
    expect(pairingDefect(messages)).toBeNull();
  });

  it('fork_turns cuts at the N-th last real user turn; results and reminders are none', () => {
    const messages: Message[] = [
      user('one'),
      says('1'),
      user('two'),
      says('2'),
      user(reminder),
      user('three'),
      says('3'),
    ];
    const cut = (turns: number) => inheritedHistory(whole(messages), turns).messages;
    expect(cut(1)).toEqual(messages.slice(5));
    expect(cut(2)).toEqual(messages.slice(2));
    expect(cut(3)).toEqual(messages);
    expect(cut(99)).toEqual(messages);
    expect(inheritedHistory(inside, 1).messages[0]).toEqual(user('go'));
  });

  it('the cut is the shortest end with N real user turns, or all where there are fewer, for any history and any N', () => {
    const result: Message = {
      role: 'tool',
      blocks: [{ type: 'result', callId: 'c', name: 'f', content: 'r', isError: false }],
    };
    const kinds = { real: user('a question'), reminder: user(reminder), said: says('words'), result };
    const kind = fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[]));
    fc.assert(
      fc.property(fc.array(kind), fc.integer({ min: 1, max: 50 }), (names, turns) => {
        const messages = names.map((name) => kinds[name]);
        const inherited = inheritedHistory(whole(messages), turns).messages;
        const real = names.filter((name) => name === 'real').length;
        const kept = names.slice(names.length - inherited.length);

        expect(inherited).toEqual(messages.slice(messages.length - inherited.length));
        expect(kept.filter((name) => name === 'real')).toHaveLength(Math.min(real, turns));
        if (real < turns) expect(kept).toEqual(names);
        else expect(kept[0]).toBe('real');
      }),
    );
  });

  it('[P05] says how much each ancestor handed on, also of what fork_turns left of it', () => {
    const messages = [user('one'), says('1'), user('two'), says('2'), user('three'), says('3')];
    const lengths = (turns: 'all' | number) =>
      inheritedHistory(whole(messages, [2, 4]), turns).inheritedLengths;
    expect(lengths('all')).toEqual([2, 4, 6]);
    expect(lengths(2)).toEqual([2, 4]);
    expect(lengths(1)).toEqual([2]);
    // The placeholders of an open batch are part of what is handed on.
    expect(inheritedHistory(inside, 'all').inheritedLengths).toEqual([3]);
  });
});

describe('isRealUserTurn', () => {
  it.each<[string, Message, boolean]>([
    ['plain text', user('hello'), true],
    ['a reminder', user(` ${reminder}\n`), false],
    ['two reminders', user(`${reminder}\n${reminder}`), false],
    ['text between two reminders', user(`${reminder} what now? ${reminder}`), true],
    ['text beside a reminder', user(reminder, 'hello'), true],
    ['a reminder that never ends', user('<system-reminder>really'), true],
    ['blanks', user(' \n', ''), false],
    ['nothing', user(), false],
    ['an answer', says('hello'), false],
    ['results', { role: 'tool', blocks: [] }, false],
  ])('%s', (_what, message, isReal) => {
    expect(isRealUserTurn(message)).toBe(isReal);
  });
  it('a megabyte of opened reminders is judged in one pass', () => {
    expect(isRealUserTurn(user('<system-reminder>'.repeat(60_000)))).toBe(true);
    expect(isRealUserTurn(user(reminder.repeat(25_000)))).toBe(false);
  });
});
