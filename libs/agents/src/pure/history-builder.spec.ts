import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AgentEvent, Message } from '#transcripts';
import { call, callKey, event, recorded, says, specSurface } from '#transcripts/testing';
import { HistoryBuilder, toolsChangedNote } from './history-builder.js';
import { isRealUserTurn } from './inherited-history.js';

const user = (text: string): Message => ({ role: 'user', blocks: [{ type: 'text', text }] });
const three = says('', call('a', 'c0'), call('b', 'c1'), call('c', 'c2'));
const finish = (index: number, content = `r${index}`) =>
  event.toolCallFinished({ call: callKey(index, 1, `c${index}`), name: 'abc'.charAt(index), content });

function historyOf(...events: readonly AgentEvent[]) {
  const builder = new HistoryBuilder();
  for (const fact of recorded(events)) builder.add(fact);
  return builder.build();
}

const drift = { lost: ['a'], changed: [], granted: [], notGranted: [], renamed: [] };
const changed = { ...specSurface, drift };

/** Any event of a history, made for the version that it gets; a compaction replaces up to any earlier version. */
const step: fc.Arbitrary<(version: number) => AgentEvent> = fc.oneof(
  fc.constant(() => event.turnRecorded({ message: three })),
  fc.string().map((text) => () => event.turnRecorded({ message: says(text) })),
  fc.nat(2).map((index) => () => finish(index)),
  fc.string().map((text) => () => event.messageAppended({ run: false, messages: [user(text)] })),
  fc.constant(() => event.runStarted({ surface: changed })),
  fc.constant(() => event.messageQueued()),
  fc.constant(() => event.messageDelivered()),
  fc.tuple(fc.nat(), fc.string()).map(
    ([at, text]) =>
      (version: number) =>
        event.historyCompacted({ upTo: 1 + (at % version), messages: [user(text)] }),
  ),
);

const contents = (message: Message | undefined) =>
  message?.role === 'tool' ? message.blocks.map(({ content }) => content) : [];

describe('HistoryBuilder', () => {
  it('[L01] results stand in the order of their calls, whatever order they were recorded in', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), (order) => {
        const { messages, openBatch } = historyOf(
          event.turnRecorded({ message: three }),
          ...order.map((at) => finish(at)),
        );
        expect(openBatch).toBeNull();
        expect(messages.length).toBe(2);
        expect(contents(messages[1])).toEqual(['r0', 'r1', 'r2']);
      }),
    );
  });

  it('[C17] a batch with an open call ends in its message, and its results so far are kept apart', () => {
    const { messages, openBatch } = historyOf(event.turnRecorded({ message: three }), finish(2));
    expect(messages).toEqual([three]);
    expect([...(openBatch?.results.keys() ?? [])]).toEqual([2]);
  });

  it('the first result of a call is its only one, and a result of another turn answers nothing', () => {
    const other = event.toolCallFinished({ call: callKey(1, 7, 'c1') });
    const { messages } = historyOf(
      event.turnRecorded({ message: three }),
      finish(0),
      finish(0, 'second'),
      other,
      finish(1),
      finish(2),
    );
    expect(contents(messages[1])).toEqual(['r0', 'r1', 'r2']);
  });

  it('[L03] one id twice in a turn: each call gets its own result', () => {
    const { messages } = historyOf(
      event.turnRecorded({ message: says('', call('a', 'dup'), call('b', 'dup')) }),
      event.toolCallFinished({ call: callKey(1, 1, 'dup'), name: 'b', content: 'of b' }),
      event.toolCallFinished({ call: callKey(0, 1, 'dup'), name: 'a', content: 'of a' }),
    );
    expect(contents(messages[1])).toEqual(['of a', 'of b']);
  });

  it('a refusal is the answer of its call and an error, as is any result that is not ok', () => {
    const { messages } = historyOf(
      event.turnRecorded({ message: says('', call('edit', 'c0'), call('read_file', 'c1')) }),
      event.toolCallRefused({ call: callKey(0, 1, 'c0'), response: 'no' }),
      event.toolCallFinished({ call: callKey(1, 1, 'c1'), outcome: 'unknown', content: 'who knows' }),
    );
    expect(messages[1]).toEqual({
      role: 'tool',
      blocks: [
        { type: 'result', callId: 'c0', name: 'edit', content: 'no', isError: true },
        { type: 'result', callId: 'c1', name: 'read_file', content: 'who knows', isError: true },
      ],
    });
  });

  it('what arrives while a batch is open stands behind its results', () => {
    const { messages } = historyOf(
      event.turnRecorded({ message: three }),
      finish(0),
      event.messageAppended({ run: false, messages: [user('meanwhile')] }),
      finish(2),
      finish(1),
    );
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
  });

  it('a queued message enters the history where its delivery is recorded, in the order of the delivery', () => {
    const queued = [
      event.messageQueued({ text: 'one' }),
      event.messageQueued({ messageId: 'm2', text: 'two' }),
    ];
    expect(historyOf(...queued).messages).toEqual([]);
    const delivered = event.messageDelivered({ messageIds: ['m2', 'm1'] });
    expect(historyOf(...queued, delivered, delivered).messages).toEqual([
      {
        role: 'user',
        blocks: [
          { type: 'text', text: 'two' },
          { type: 'text', text: 'one' },
        ],
      },
    ]);
  });

  it('a message to run and the outcome of a child are delivered like any other', () => {
    const [outcome] = recorded([event.outcomeDelivered({ text: 'child ended' })]);
    const ids = ['m1', outcome?.record.id ?? ''];
    const { messages } = historyOf(
      event.outcomeDelivered({ text: 'child ended' }),
      event.messageAppended(),
      event.messageDelivered({ messageIds: ids }),
    );
    expect(messages).toEqual([
      {
        role: 'user',
        blocks: [
          { type: 'text', text: 'hello' },
          { type: 'text', text: 'child ended' },
        ],
      },
    ]);
  });

  it('a compaction replaces what stood up to its version and nothing that came later', () => {
    const compacted = event.historyCompacted({ upTo: 2, messages: [user('summary')] });
    const { messages } = historyOf(
      event.launchPromptRecorded({ text: 'old' }),
      event.turnRecorded({ message: says('old answer') }),
      event.messageAppended({ run: false, messages: [user('new')] }),
      compacted,
    );
    expect(messages).toEqual([user('summary'), user('new')]);
  });

  it('a compaction loses neither an open batch behind it nor what waits for that batch', () => {
    const { messages, openBatch } = historyOf(
      event.launchPromptRecorded({ text: 'old' }),
      event.turnRecorded({ message: three }),
      event.messageAppended({ run: false, messages: [user('later')] }),
      event.historyCompacted({ upTo: 1, messages: [user('summary')] }),
      finish(0),
      finish(1),
      finish(2),
    );
    expect([openBatch, messages.map(({ role }) => role)]).toEqual([
      null,
      ['user', 'assistant', 'tool', 'user'],
    ]);
    const swallowed = historyOf(
      event.turnRecorded({ message: three }),
      event.messageAppended({ run: false, messages: [user('later')] }),
      event.historyCompacted({ upTo: 1, messages: [user('summary')] }),
    );
    expect(swallowed).toEqual({
      messages: [user('summary'), user('later')],
      openBatch: null,
      inheritedLengths: [],
    });
  });

  it('[E17] what a compaction further on replaces need not be kept, whatever happened before it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.nat(), (steps, from) => {
        const facts = recorded(steps.map((make, index) => make(index + 1)));
        const at = facts.findLastIndex(({ type }) => type === 'HistoryCompacted');
        const [last] = facts
          .slice(at)
          .flatMap(({ type, data }) => (type === 'HistoryCompacted' ? [data] : []));
        const [whole, thrifty] = [new HistoryBuilder(), new HistoryBuilder()];
        for (const [index, fact] of facts.entries()) {
          if (index === from % (at + 1)) thrifty.discard(last?.upTo ?? 0);
          whole.add(fact);
          thrifty.add(fact);
        }
        expect(thrifty.build()).toEqual(whole.build());
        expect(thrifty.places).toEqual(whole.places);
      }),
    );
  });

  it('a history that was given out does not change', () => {
    const builder = new HistoryBuilder();
    builder.inherit({ messages: [user('inherited')], inheritedLengths: [1] });
    const [turn, result] = recorded([event.turnRecorded({ message: says('', call('a', 'c0')) }), finish(0)]);
    if (turn !== undefined) builder.add(turn);
    const before = builder.build();
    if (result !== undefined) builder.add(result);
    expect([before.messages.length, before.openBatch?.results.size]).toEqual([2, 0]);
    expect(builder.build().messages.length).toBe(3);
  });
});

describe('[C11] the note that the tools changed', () => {
  const run = event.runStarted({ epoch: 2, surface: changed });
  const said = event.launchPromptRecorded({ text: 'go' });
  const all = [finish(0), finish(1), finish(2)];

  it('stands behind what was said, and is none while nothing changed', () => {
    expect(historyOf(said, event.runStarted()).messages).toEqual([user('go')]);
    expect(historyOf(said, event.runStarted(), run).messages).toEqual([user('go'), toolsChangedNote]);
  });

  it('stands behind the results of a batch that was open, and once however often they changed', () => {
    const open = [said, event.turnRecorded({ message: three })];
    const now = event.surfaceChanged({ surface: changed });
    const roles = (...events: readonly AgentEvent[]) => historyOf(...events).messages.map(({ role }) => role);
    expect(roles(...open, run, ...all)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(roles(...open, run, run, ...all, now)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(roles(...open, ...all, now)).toEqual(['user', 'assistant', 'tool', 'user']);
  });

  it('asks for nothing: behind a last word of the model it waits for the next message', () => {
    const answered = [said, event.turnRecorded({ message: says('done') }), run];
    expect(historyOf(...answered).messages).toEqual([user('go'), says('done')]);
    const again = [event.messageQueued({ text: 'more' }), event.messageDelivered({ messageIds: ['m1'] })];
    expect(historyOf(...answered, ...again).messages.slice(2)).toEqual([toolsChangedNote, user('more')]);
  });

  it('is no turn of a user', () => {
    expect(isRealUserTurn(toolsChangedNote)).toBe(false);
  });
});
