import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { parseOpenAiChunk } from './openai-chunk.js';
import { OpenAiTurn } from './openai-turn.js';

function choice(delta: object, finish_reason: string | null = null): unknown {
  return { choices: [{ index: 0, delta, finish_reason }] };
}
function piece(index: number, text: string, fields: object = {}): unknown {
  return choice({ tool_calls: [{ index, ...fields, function: { ...fields, arguments: text } }] });
}
function fold(chunks: readonly unknown[]): OpenAiTurn {
  const turn = new OpenAiTurn(['reasoning_details']);
  for (const chunk of chunks) turn.add(parseOpenAiChunk(chunk));
  return turn;
}
const stop = choice({}, 'stop');
const toolStop = choice({}, 'tool_calls');

describe('OpenAiTurn', () => {
  it('[L07] counts for nothing without its stop event', () => {
    const turn = fold([
      choice({ content: 'half' }),
      piece(0, '{"path":"/a/b', { id: 'a', name: 'read_file' }),
    ]);
    expect(turn.isStopped).toBe(false);
    expect(turn.finish('m')).toBeNull();
    expect(fold([choice({ content: 'half' }, 'error')]).finish('m')).toBeNull();
  });

  it('keeps arguments as the text that was streamed, however it was cut into pieces', () => {
    const text = '{"n":1.10, "big":9007199254740993,"s":"\ud83d\ude00"}';
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const parts = places.slice(1).map((end, n) => piece(0, text.slice(places[n], end)));
        const turn = fold([piece(0, '', { id: 'a', name: 'read_file' }), ...parts, toolStop]).finish('m');
        expect(turn?.blocks).toEqual([{ type: 'call', id: 'a', name: 'read_file', arguments: text }]);
      }),
    );
  });

  it('[L03] tells calls apart by index, and by id where every index is the same', () => {
    const byIndex = fold([
      piece(0, '{}', { id: 'dup', name: 'a' }),
      piece(1, '{}', { id: 'dup', name: 'b' }),
      toolStop,
    ]);
    const byId = fold([piece(0, '{}', { id: 'x', name: 'a' }), piece(0, '{}', { id: 'y', name: 'b' }), stop]);
    const named = (turn: OpenAiTurn) =>
      turn.finish('m')?.blocks.map((block) => (block.type === 'call' ? [block.id, block.name] : null));
    expect(named(byIndex)).toEqual([
      ['dup', 'a'],
      ['dup', 'b'],
    ]);
    expect(named(byId)).toEqual([
      ['x', 'a'],
      ['y', 'b'],
    ]);
  });

  it.each([
    ['an unclosed string', '{"path":"/a/b'],
    ['trailing garbage', '{"path":"x"} }'],
    ['nothing at all', ''],
    ['two objects', '{}{}'],
  ])('[L07] marks a call whose arguments are %s, and keeps their text', (_name, text) => {
    const turn = fold([
      piece(0, '{}', { id: 'a', name: 'f' }),
      piece(1, text, { id: 'b', name: 'f' }),
      toolStop,
    ]);
    expect(turn.finish('m')).toMatchObject({
      truncated: true,
      blocks: [{ id: 'a' }, { id: 'b', arguments: text, truncated: true }],
    });
    expect(turn.finish('m')?.blocks[0]).not.toHaveProperty('truncated');
  });

  it.each(['length', 'content_filter', 'something_new'])(
    '[L07] trusts no call of a turn that stopped by %s',
    (reason) => {
      const turn = fold([piece(0, '{"path":"x"}', { id: 'a', name: 'f' }), choice({}, reason)]).finish('m');
      expect(turn).toMatchObject({
        truncated: true,
        blocks: [{ arguments: '{"path":"x"}', truncated: true }],
      });
    },
  );

  it('[P10] counts each token once: input without what was read from or written to the cache', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
    };
    expect(fold([stop, { choices: [], usage }]).finish('m')).toMatchObject({
      isUsageReported: true,
      usage: { inputTokens: 10, cachedTokens: 60, cacheWriteTokens: 30, outputTokens: 7 },
    });
    expect(fold([stop]).finish('m')).toMatchObject({ isUsageReported: false });
  });

  it('[L21] keeps signed reasoning as one block for its model, put together from its pieces', () => {
    const turn = fold([
      choice({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'so ' }] }),
      choice({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'on', signature: 's=' }] }),
      choice({ reasoning_details: [{ type: 'reasoning.text', index: 1, text: 'two' }], content: 'hi' }),
      stop,
    ]).finish('m');
    const details = [
      { type: 'reasoning.text', index: 0, text: 'so on', signature: 's=' },
      { type: 'reasoning.text', index: 1, text: 'two' },
    ];
    expect(turn?.blocks).toEqual([
      { type: 'opaque', provider: 'openai:m', raw: JSON.stringify({ reasoning_details: details }) },
      { type: 'text', text: 'hi' },
    ]);
  });

  it('survives whatever an endpoint sends as a chunk', () => {
    fc.assert(
      fc.property(fc.array(fc.anything()), (chunks) => {
        const odd = chunks.map((value) => ({
          choices: [{ delta: value, finish_reason: value }],
          usage: value,
        }));
        expect(() => fold([...chunks, ...odd]).finish('m')).not.toThrow();
      }),
    );
  });
});
