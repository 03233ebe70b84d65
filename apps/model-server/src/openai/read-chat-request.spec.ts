import { describe, expect, it } from '@jest/globals';
import { readChatRequest } from './read-chat-request.js';

const user = { role: 'user', content: 'Count the files.' };
const call = (id: string, name = 'glob') => ({ id, type: 'function', function: { name, arguments: '{}' } });
const calling = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => call(id)),
});
const result = (id: string, content: unknown = 'ok') => ({ role: 'tool', tool_call_id: id, content });
const tool = (name: string, parameters: unknown = { type: 'object' }) => ({
  type: 'function',
  function: { name, parameters },
});
const read = (body: object) => readChatRequest(Buffer.from(JSON.stringify(body)));
const readMessages = (...messages: unknown[]) => read({ model: 'scripted:demo', messages });
const refusalOf = (checked: ReturnType<typeof readChatRequest>) =>
  checked.ok ? 'accepted' : checked.refusal.message;

describe('histories a provider refuses', () => {
  const cases: readonly (readonly [title: string, messages: readonly unknown[], told: string])[] = [
    ['[L01] a call without its result', [user, calling('a')], 'messages[1]'],
    ['[L01] a call answered only in part', [user, calling('a', 'b'), result('b'), user], "missing: 'a'"],
    ['[L01] a result behind another message', [user, calling('a'), user, result('a')], 'messages[1]'],
    ['a result that answers nothing', [user, result('a')], 'messages[1]'],
    ['a result given twice', [user, calling('a'), result('a'), result('a')], 'messages[3]'],
    [
      '[L03] an id used twice in one turn',
      [user, calling('a', 'a'), result('a'), result('a')],
      'messages[1]',
    ],
    [
      '[L03] an id used again in a later turn',
      [user, calling('a'), result('a'), calling('a'), result('a')],
      'messages[3]',
    ],
    ['[L11] an empty tool result', [user, calling('a'), result('a', '')], 'messages[2].content'],
    ['[L11] a tool result without parts', [user, calling('a'), result('a', [])], 'messages[2].content'],
    ['[L11] a tool result of white space', [user, calling('a'), result('a', ' \n')], 'messages[2].content'],
    [
      '[L11] an empty text part',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'x' },
            { type: 'text', text: '' },
          ],
        },
      ],
      'messages[0].content[1]',
    ],
    [
      '[L11] an assistant message that says nothing',
      [user, { role: 'assistant', content: null }],
      'messages[1]',
    ],
    [
      '[L11] an empty list of calls',
      [user, { role: 'assistant', content: 'x', tool_calls: [] }],
      'messages[1].tool_calls',
    ],
    ['an unknown role', [{ role: 'function', content: 'x' }], 'messages[0].role'],
    ['an assistant message first', [{ role: 'assistant', content: 'x' }, user], 'messages[0]'],
    ['a history without a user', [{ role: 'system', content: 'x' }], 'messages'],
    ['no messages', [], 'messages'],
    [
      '[L05] a called name with a dot',
      [user, { role: 'assistant', tool_calls: [call('a', 'my.server')] }, result('a')],
      'messages[1].tool_calls[0].function.name',
    ],
    [
      'arguments that are no text',
      [
        user,
        { role: 'assistant', tool_calls: [{ ...call('a'), function: { name: 'glob', arguments: {} } }] },
      ],
      'messages[1].tool_calls[0].function.arguments',
    ],
  ];
  it.each(cases)('%s is refused with its place named', (_title, messages, told) => {
    expect(refusalOf(readMessages(...messages))).toContain(told);
  });
});

describe('tools a provider refuses', () => {
  const cases: readonly (readonly [title: string, tools: readonly unknown[], told: string])[] = [
    ['[L05] a name with a dot', [tool('my.server__x')], 'tools[0]'],
    ['[L05] a name of 65 characters', [tool('x'.repeat(65))], 'tools[0]'],
    ['an empty name', [tool('')], 'tools[0]'],
    ['a name declared twice', [tool('x'), tool('x')], 'tools[1]'],
    ['[M17] anyOf at the top', [tool('x', { type: 'object', anyOf: [] })], "'anyOf'"],
    ['[M17] oneOf at the top', [tool('x', { type: 'object', oneOf: [] })], "'oneOf'"],
    ['[M17] allOf at the top', [tool('x', { type: 'object', allOf: [] })], "'allOf'"],
    ['[M17] a schema without a type', [tool('x', {})], "type 'object'"],
    ['[M17] a schema of another type', [tool('x', { type: 'array' })], "type 'object'"],
    ['[M17] a schema that is a list', [tool('x', [])], 'must be an object'],
  ];
  it.each(cases)('%s is refused', (_title, tools, told) => {
    expect(refusalOf(read({ model: 'm', messages: [user], tools }))).toContain(told);
  });

  it('[M17] a union below the top, a $ref loop and a name like __proto__ are taken', () => {
    const parameters = { type: 'object', properties: { a: { anyOf: [{ $ref: '#' }, { type: 'string' }] } } };
    const read2 = read({
      model: 'm',
      messages: [user],
      tools: [tool('__proto__', parameters), tool('constructor')],
    });
    expect(read2).toMatchObject({ ok: true, value: { toolNames: ['__proto__', 'constructor'] } });
  });

  it('[M17] a schema 2,000 levels deep is refused without exhausting the stack', () => {
    const deep = `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`;
    const body = `{"model":"m","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"x","parameters":${deep}}}]}`;
    expect(refusalOf(readChatRequest(Buffer.from(body)))).toContain('deeper');
  });
});

describe('bodies a provider refuses', () => {
  it.each([
    ['text that is not JSON', '{', 'could not parse'],
    [
      'a lone surrogate written as an escape',
      '{"model":"m","messages":[{"role":"user","content":"a\\ud800b"}]}',
      'messages[0].content',
    ],
    ['a lone low surrogate in a key', '{"model":"m","\\udc00":1,"messages":[]}', 'UTF-16'],
    ['a missing model', '{"messages":[{"role":"user","content":"x"}]}', 'model'],
    ['a list', '[]', 'body'],
    [
      'an argument the provider does not know',
      '{"model":"m","foo":1,"messages":[{"role":"user","content":"x"}]}',
      'foo',
    ],
    [
      'stream options without a stream',
      '{"model":"m","stream_options":{},"messages":[{"role":"user","content":"x"}]}',
      'stream_options',
    ],
  ])('%s is refused', (_title, body, told) => {
    expect(refusalOf(readChatRequest(Buffer.from(body)))).toContain(told);
  });

  it('bytes that are not UTF-8 are refused', () => {
    expect(refusalOf(readChatRequest(Buffer.from([0x22, 0xff, 0x22])))).toContain('UTF-8');
  });

  it('a surrogate pair, a NUL and six literal characters that look like an escape are taken', () => {
    expect(readMessages({ role: 'user', content: '\u{1f600}\u0000\\u0000' }).ok).toBe(true);
  });
});

describe('what a provider takes', () => {
  it('results of one turn may come in any order, and a later turn may follow at once', () => {
    const checked = readMessages(
      { role: 'system', content: 'You are terse.' },
      user,
      calling('a', 'b'),
      result('b'),
      result('a', [{ type: 'text', text: 'two' }]),
      calling('c'),
      result('c'),
    );
    expect(checked.ok && checked.value.conversation.map((entry) => entry.role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'tool',
    ]);
  });

  it("[L07] arguments that are not JSON are the client's own business", () => {
    const message = {
      role: 'assistant',
      tool_calls: [{ ...call('a'), function: { name: 'glob', arguments: '{"path":"/a/b' } }],
    };
    expect(readMessages(user, message, result('a')).ok).toBe(true);
  });
});
