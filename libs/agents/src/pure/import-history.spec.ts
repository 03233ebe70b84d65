import { describe, expect, it } from '@jest/globals';
import { Message } from '#transcripts';
import { call } from '#transcripts/testing';
import { chunkMessages } from './chunk-messages.js';
import { type HistoryInput, importHistory } from './import-history.js';

const text = (value: string) => ({ type: 'text' as const, text: value });
const model = 'anthropic:claude';
const take = (format: HistoryInput['format'], ...messages: readonly unknown[]) =>
  importHistory({ format, messages: [...messages] }, model);
const result = (callId: string, name: string, content: string, isError = false) => ({
  type: 'result' as const,
  callId,
  name,
  content,
  isError,
});
const chatCall = (id: string, name: string, args = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

describe('importHistory', () => {
  it('takes our own form as it is', () => {
    const messages: Message[] = [
      { role: 'user', blocks: [text('go')] },
      { role: 'assistant', blocks: [call('edit', 'c0')] },
      { role: 'tool', blocks: [result('c0', 'edit', 'ok')] },
    ];
    expect(take('offshoot', ...messages)).toEqual({ ok: true, messages });
  });

  it('reads OpenAI chat messages; argument text stays as it was written', () => {
    const taken = take(
      'openai',
      { role: 'user', content: [text('go'), text('')], name: 'me' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [chatCall('c0', 'edit', '{ "n":1.0 }'), chatCall('c1', 'glob')],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'second' },
      { role: 'tool', tool_call_id: 'c0', content: [text('fir'), text('st')] },
      { role: 'assistant', content: 'done', refusal: null },
    );
    expect(taken).toEqual({
      ok: true,
      messages: [
        { role: 'user', blocks: [text('go')] },
        { role: 'assistant', blocks: [call('edit', 'c0', '{ "n":1.0 }'), call('glob', 'c1')] },
        { role: 'tool', blocks: [result('c1', 'glob', 'second'), result('c0', 'edit', 'first')] },
        { role: 'assistant', blocks: [text('done')] },
      ],
    });
  });

  it('reads Anthropic messages: results come first, signed reasoning is kept whole', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
    const taken = take(
      'anthropic',
      { role: 'user', content: [{ ...text('go'), cache_control: { type: 'ephemeral' } }] },
      {
        role: 'assistant',
        content: [thinking, { type: 'tool_use', id: 'c0', name: 'edit', input: { b: 1, a: 2 } }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c0', is_error: true }, text('and now?')],
      },
    );
    expect(taken).toEqual({
      ok: true,
      messages: [
        { role: 'user', blocks: [text('go')] },
        {
          role: 'assistant',
          blocks: [
            { type: 'opaque', provider: model, raw: JSON.stringify(thinking) },
            call('edit', 'c0', '{"b":1,"a":2}'),
          ],
        },
        { role: 'tool', blocks: [result('c0', 'edit', '', true)] },
        { role: 'user', blocks: [text('and now?')] },
      ],
    });
    if (taken.ok) for (const message of taken.messages) expect(Message.safeParse(message).success).toBe(true);
  });

  it('[L21] reasoning of a talk that another provider answered goes back to nobody', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
    const messages = [{ role: 'assistant', content: [thinking, text('hi')] }];
    const taken = importHistory({ format: 'anthropic', messages }, 'openai:gpt');
    expect(taken).toMatchObject({ ok: true, messages: [{ blocks: [{ provider: 'anthropic' }, {}] }] });
  });

  it('[L03] one id twice in a turn: each result bears the name of its own call', () => {
    const taken = take(
      'openai',
      { role: 'assistant', tool_calls: [chatCall('dup', 'edit'), chatCall('dup', 'glob')] },
      { role: 'tool', tool_call_id: 'dup', content: 'a' },
      { role: 'tool', tool_call_id: 'dup', content: 'b' },
    );
    expect(taken).toMatchObject({
      ok: true,
      messages: [{}, { blocks: [{ name: 'edit' }, { name: 'glob' }] }],
    });
  });

  const asks = {
    role: 'assistant',
    content: null,
    tool_calls: [chatCall('c0', 'edit'), chatCall('c1', 'glob')],
  };
  const answers = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'x' });
  const goes = { role: 'user', content: 'go' };
  it.each<[string, HistoryInput['format'], readonly unknown[], number]>([
    ['another shape', 'openai', [goes, { role: 'user', content: 7 }], 1],
    ['no object', 'offshoot', [null], 0],
    ['an unknown role', 'openai', [{ role: 'critic', content: 'x' }], 0],
    ['a system message', 'openai', [{ role: 'system', content: 'x' }], 0],
    ['unknown fields in our own form', 'offshoot', [{ role: 'user', blocks: [text('a')], extra: 1 }], 0],
    ['an empty user message', 'openai', [goes, { role: 'user', content: '' }], 1],
    ['a user message without blocks', 'anthropic', [{ role: 'user', content: [] }], 0],
    ['results of no call', 'openai', [goes, answers('c0')], 1],
    ['a call without its result', 'openai', [goes, asks, answers('c0'), goes], 2],
    ['calls at the very end', 'openai', [goes, asks], 1],
    ['a result given twice', 'openai', [asks, answers('c0'), answers('c1'), answers('c1')], 1],
    ['a late answer', 'openai', [asks, answers('c0'), answers('c1'), goes, answers('c0')], 4],
    [
      'an empty batch',
      'offshoot',
      [
        { role: 'user', blocks: [text('a')] },
        { role: 'tool', blocks: [] },
      ],
      1,
    ],
    [
      'a call of a user',
      'anthropic',
      [{ role: 'user', content: [{ type: 'tool_use', id: 'c', name: 'n', input: {} }] }],
      0,
    ],
    [
      'a result of a model',
      'anthropic',
      [{ role: 'assistant', content: [{ type: 'tool_result', tool_use_id: 'c' }] }],
      0,
    ],
    [
      'a call without input',
      'anthropic',
      [{ role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'n' }] }],
      0,
    ],
  ])('[C19] %s is refused, with the index of the message', (_what, format, messages, index) => {
    const taken = take(format, ...messages);
    expect(taken).toMatchObject({ ok: false, index });
    if (!taken.ok) expect(taken.message.startsWith(`Message ${index}: `)).toBe(true);
  });

  it('an empty history is a history', () => {
    expect(take('anthropic')).toEqual({ ok: true, messages: [] });
  });
});

describe('chunkMessages', () => {
  it('keeps order and content, and no chunk but a single large message exceeds the size of an event', () => {
    const messages = Array.from({ length: 40 }, (_, index): Message => ({
      role: 'user',
      blocks: [text(String(index).repeat(20_000))],
    }));
    const large: Message = { role: 'user', blocks: [text('x'.repeat(400_000))] };
    const chunks = chunkMessages([...messages, large, ...messages]);
    expect(chunks.flat()).toEqual([...messages, large, ...messages]);
    for (const chunk of chunks) {
      if (chunk.length > 1) expect(JSON.stringify(chunk).length).toBeLessThan(300_000);
    }
    expect(chunkMessages([])).toEqual([]);
  });
});
