import { describe, expect, it } from '@jest/globals';

import { parseAnthropicEvent } from './anthropic-event.js';
import { AnthropicTurn } from './anthropic-turn.js';

const start = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const delta = (index: number, part: object) => ({ type: 'content_block_delta', index, delta: part });
const stop = (index: number) => ({ type: 'content_block_stop', index });
const json = (index: number, partial_json: string) =>
  delta(index, { type: 'input_json_delta', partial_json });
const use = (index: number, id = 'toolu_1') =>
  start(index, { type: 'tool_use', id, name: 'glob', input: {} });
const began = {
  type: 'message_start',
  message: {
    usage: {
      input_tokens: 5,
      cache_read_input_tokens: 70,
      cache_creation_input_tokens: 20,
      output_tokens: 1,
    },
  },
};
const ended = (stop_reason: string, usage: object = { output_tokens: 9 }) => [
  { type: 'message_delta', delta: { stop_reason }, usage },
  { type: 'message_stop' },
];
const text = (index: number, words: string) => [
  start(index, { type: 'text', text: '' }),
  delta(index, { type: 'text_delta', text: words }),
  stop(index),
];
const thought = (index: number, words: string, signature: string) => [
  start(index, { type: 'thinking', thinking: '', signature: '' }),
  delta(index, { type: 'thinking_delta', thinking: words }),
  ...(signature === '' ? [] : [delta(index, { type: 'signature_delta', signature })]),
  stop(index),
];

function fold(...events: readonly object[]) {
  const turn = new AnthropicTurn();
  const deltas = events.flatMap((event) => turn.add(parseAnthropicEvent(event)));
  return { deltas, isStopped: turn.isStopped, finished: turn.finish('m') };
}

describe('a streamed Anthropic message', () => {
  it('is a turn with its blocks in the order of the model', () => {
    const { finished, deltas } = fold(
      began,
      ...text(0, 'hi'),
      use(1),
      json(1, '{"n":'),
      json(1, '1.10}'),
      stop(1),
      ...text(2, 'there'),
      ...ended('tool_use'),
    );
    expect(finished).toMatchObject({ stopReason: 'tool_calls', truncated: false });
    expect(finished?.blocks).toEqual([
      { type: 'text', text: 'hi' },
      { type: 'call', id: 'toolu_1', name: 'glob', arguments: '{"n":1.10}' },
      { type: 'text', text: 'there' },
    ]);
    expect(deltas).toEqual([
      { type: 'text', text: 'hi' },
      { type: 'call', index: 0, name: 'glob', arguments: '' },
      { type: 'call', index: 0, name: '', arguments: '{"n":' },
      { type: 'call', index: 0, name: '', arguments: '1.10}' },
      { type: 'text', text: 'there' },
    ]);
  });

  it('counts only with its stop event and its reason', () => {
    expect(fold(began, ...text(0, 'hi')).finished).toBeNull();
    expect(fold(began, ...text(0, 'hi'), ...ended('end_turn').slice(0, 1)).finished).toBeNull();
    expect(fold(began, ...text(0, 'hi'), { type: 'message_stop' }).finished).toBeNull();
    expect(fold(began, ...ended('end_turn').slice(0, 1)).isStopped).toBe(false);
    expect(fold(began, ...ended('end_turn')).isStopped).toBe(true);
  });

  it.each([
    ['end_turn', 'end'],
    ['stop_sequence', 'end'],
    ['tool_use', 'tool_calls'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
    ['pause_turn', 'other'],
    ['what comes next year', 'other'],
  ])('stops by %s as %s', (reason, stopReason) => {
    expect(fold(began, ...ended(reason)).finished?.stopReason).toBe(stopReason);
  });

  it('[P10] counts input, cache reads, cache writes and output apart; later reports are totals', () => {
    const usage = { inputTokens: 5, cachedTokens: 70, cacheWriteTokens: 20, outputTokens: 9 };
    expect(fold(began, ...ended('end_turn')).finished).toMatchObject({ usage, isUsageReported: true });
    const later = ended('end_turn', { input_tokens: 6, cache_read_input_tokens: null, output_tokens: 9 });
    expect(fold(began, ...later).finished?.usage).toEqual({ ...usage, inputTokens: 6 });
    expect(fold(...ended('end_turn', undefined)).finished?.isUsageReported).toBe(true);
    const silent = [{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }];
    expect(fold(...silent).finished?.isUsageReported).toBe(false);
  });
});

describe('[L07] a call of a streamed Anthropic message is never executed when', () => {
  const isCut = (...events: readonly object[]) => {
    const blocks = fold(began, ...events).finished?.blocks ?? [];
    return blocks.every((block) => block.type === 'call' && block.truncated === true) && blocks.length > 0;
  };

  it.each<[string, readonly object[]]>([
    ['its block was not closed', [use(0), json(0, '{}'), ...ended('tool_use')]],
    ['its arguments are cut', [use(0), json(0, '{"path":"/a/b'), stop(0), ...ended('tool_use')]],
    ['something follows its arguments', [use(0), json(0, '{"path":"x"} and'), stop(0), ...ended('tool_use')]],
    ['the output ended at its cap', [use(0), json(0, '{"path":"x"}'), stop(0), ...ended('max_tokens')]],
    ['the window was full', [use(0), json(0, '{}'), stop(0), ...ended('model_context_window_exceeded')]],
    ['the model was stopped by a filter', [use(0), json(0, '{}'), stop(0), ...ended('refusal')]],
  ])('%s', (_name, events) => {
    expect(isCut(...events)).toBe(true);
  });

  it('and its text is kept', () => {
    const { finished } = fold(began, use(0), json(0, '{"path":"/a/b'), stop(0), ...ended('tool_use'));
    expect(finished).toMatchObject({ truncated: true, blocks: [{ arguments: '{"path":"/a/b' }] });
  });

  it('but a call that takes no arguments streams none and is whole', () => {
    const { finished } = fold(began, use(0), json(0, ''), stop(0), ...ended('tool_use'));
    expect(finished?.blocks).toEqual([{ type: 'call', id: 'toolu_1', name: 'glob', arguments: '{}' }]);
  });
});

describe('[L21] reasoning of a streamed Anthropic message', () => {
  const opaque = (raw: object) => ({ type: 'opaque', provider: 'anthropic:m', raw: JSON.stringify(raw) });

  it('is kept as it came, redacted or not', () => {
    const redacted = { type: 'redacted_thinking', data: 'x==' };
    const events = [...thought(0, 'so', 's=='), start(1, redacted), stop(1), ...text(2, 'hi')];
    expect(fold(began, ...events, ...ended('end_turn')).finished?.blocks).toEqual([
      opaque({ type: 'thinking', thinking: 'so', signature: 's==' }),
      opaque(redacted),
      { type: 'text', text: 'hi' },
    ]);
  });

  it('is dropped whole when one block of it is unsigned or cut', () => {
    const unsigned = [...thought(0, 'so', 's=='), ...thought(1, 'and', ''), ...text(2, 'hi')];
    const cut = [...thought(0, 'so', 's==').slice(0, -1), ...text(1, 'hi')];
    for (const events of [unsigned, cut])
      expect(fold(began, ...events, ...ended('end_turn')).finished?.blocks).toEqual([
        { type: 'text', text: 'hi' },
      ]);
  });
});
