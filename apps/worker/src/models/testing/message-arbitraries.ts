import fc from 'fast-check';

import type { AssistantMessage, Message } from '#transcripts';

/** Text as it comes in real life and worse: empty, blank, with lone surrogates, quotes and control characters. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', ' \n', '\ud800', 'a\udc00b', '\u0000"\\', '{"a":1.10}', '\\ud800'),
);

/** Few ids, so that they repeat; some that no provider takes back. */
const anyId = fc.constantFrom('dup', 'call_1', 'call_2', 'call_2_2', '', 'with space', 'x'.repeat(41));

const anyCall = fc.record({
  type: fc.constant('call' as const),
  id: anyId,
  name: anyText,
  arguments: anyText,
});
const anyTextBlock = fc.record({ type: fc.constant('text' as const), text: anyText });
const anyOpaque = fc.record({
  type: fc.constant('opaque' as const),
  provider: fc.constantFrom('openai:m', 'openai:other', 'anthropic:m'),
  raw: fc.constantFrom(
    '{"reasoning_details":[{"s":1e2}]}',
    '{"reasoning_details":"\\ud800"}',
    '{"role":"x"}',
    '{',
    '7',
  ),
});

const anyUser: fc.Arbitrary<Message> = fc.record({
  role: fc.constant('user' as const),
  blocks: fc.array(anyTextBlock, { maxLength: 2 }),
});

/** An assistant message and, when it calls, the results of its batch, one message or two. */
const anyTurn: fc.Arbitrary<readonly Message[]> = fc
  .tuple(fc.array(fc.oneof(anyTextBlock, anyCall, anyOpaque), { maxLength: 4 }), anyText, fc.nat(3))
  .map(([blocks, content, cut]) => {
    const assistant: AssistantMessage = { role: 'assistant', blocks };
    const results = blocks.flatMap((block) =>
      block.type === 'call'
        ? [{ type: 'result' as const, callId: block.id, name: block.name, content, isError: false }]
        : [],
    );
    const parts = [results.slice(0, cut), results.slice(cut)].filter((part) => part.length > 0);
    return [assistant, ...parts.map((part) => ({ role: 'tool' as const, blocks: part }))];
  });

/** A whole history: it starts with a user message, and every call in it has its result. */
export const wholeHistory: fc.Arbitrary<readonly Message[]> = fc
  .tuple(
    anyUser,
    fc.array(
      fc.oneof(
        anyTurn,
        anyUser.map((message): readonly Message[] => [message]),
      ),
      { maxLength: 6 },
    ),
  )
  .map(([first, rest]) => [first, ...rest.flat()]);
