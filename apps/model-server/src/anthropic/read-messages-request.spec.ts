import { describe, expect, it } from '@jest/globals';
import { sealReasoning } from '../reasoning/sealed-reasoning.js';
import { readMessagesRequest } from './read-messages-request.js';

const headers = { 'anthropic-version': '2023-06-01' };
const user = { role: 'user', content: 'Count the files.' };
const use = (id: string) => ({ type: 'tool_use', id, name: 'glob', input: {} });
const result = (id: string, content: unknown = 'ok') => ({ type: 'tool_result', tool_use_id: id, content });
const says = (...content: unknown[]) => ({ role: 'assistant', content });
const replies = (...content: unknown[]) => ({ role: 'user', content });
const read = (rest: object, messages: readonly unknown[] = [user]) =>
  readMessagesRequest(Buffer.from(JSON.stringify({ model: 'm', max_tokens: 9, messages, ...rest })), headers);
const told = (checked: ReturnType<typeof readMessagesRequest>) =>
  checked.ok ? 'accepted' : checked.refusal.message;

describe('Messages requests a provider refuses', () => {
  it.each<readonly [string, readonly unknown[], string]>([
    ['[L01] a call without its result', [user, says(use('a'))], 'messages[1]'],
    [
      '[L01] a result behind a text',
      [user, says(use('a')), replies({ type: 'text', text: 'x' }, result('a'))],
      'messages[1]',
    ],
    [
      '[L03] an id used again',
      [user, says(use('a')), replies(result('a')), says(use('a')), replies(result('a'))],
      'messages[3]',
    ],
    ['a result that answers nothing', [replies(result('a'))], 'messages[0]'],
    ['[L11] an empty text block', [user, says({ type: 'text', text: '' })], 'messages[1]'],
    ['[L11] an empty result', [user, says(use('a')), replies(result('a', ''))], 'messages[2]'],
    ['[L11] a message without blocks', [user, says()], 'messages[1].content'],
    ['a system role among the messages', [user, { role: 'system', content: 'x' }], 'messages[1].role'],
    ['an assistant message first', [says({ type: 'text', text: 'x' })], 'messages[0]'],
    ['input that is no object', [user, says({ ...use('a'), input: '{}' })], 'messages[1].content'],
  ])('%s is refused with its place named', (_title, messages, place) => {
    expect(told(read({}, messages))).toContain(place);
  });

  it('a request without the version header is refused', () => {
    expect(told(readMessagesRequest(Buffer.from('{}'), {}))).toContain('anthropic-version');
  });

  it('[M17] a tool without a schema, or with a union at the top, is refused', () => {
    expect(told(read({ tools: [{ name: 'x' }] }))).toContain('tools[0]');
    expect(told(read({ tools: [{ name: 'x', input_schema: { type: 'object', oneOf: [] } }] }))).toContain(
      'oneOf',
    );
  });

  it('a fifth cache mark is refused', () => {
    const block = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } };
    expect(read({ system: [block, block, block, block] }).ok).toBe(true);
    expect(told(read({ system: [block, block, block, block, block] }))).toContain('maximum of 4');
  });

  it('[L21] a thinking block is taken whole and unchanged, by its own model only', () => {
    const [{ text, seal } = { text: '', seal: '' }] = sealReasoning('m', ['a thought']);
    const answered = (block: object) => [user, says(block, { type: 'text', text: 'y' }), user];
    const issued = { type: 'thinking', thinking: text, signature: seal };
    expect(read({}, answered(issued)).ok).toBe(true);
    expect(told(read({}, answered({ ...issued, thinking: '' })))).toContain('signature');
    expect(told(read({ model: 'other' }, answered(issued)))).toContain('signature');
  });
});

describe('Messages requests a provider takes', () => {
  it('texts that stand together are one user entry, each result is one of its own', () => {
    const checked = read({ system: 's' }, [
      user,
      says({ type: 'text', text: 'a' }, use('1'), use('2')),
      replies(result('2'), result('1'), { type: 'text', text: 'b' }, { type: 'text', text: 'c' }),
    ]);
    expect(checked.ok && checked.value.conversation.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'system: s',
      'user: Count the files.',
      'assistant: a',
      'tool: ok',
      'tool: ok',
      'user: b\nc',
    ]);
  });

  it('[P10] only bytes up to the last cache mark can be cached', () => {
    const block = { type: 'text', text: 'x'.repeat(100), cache_control: { type: 'ephemeral' } };
    const body = JSON.stringify({ model: 'm', max_tokens: 9, system: [block], messages: [user] });
    const checked = readMessagesRequest(Buffer.from(body), headers);
    expect(checked).toMatchObject({ ok: true, value: { cacheableBytes: body.indexOf('"cache_control"') } });
    expect(read({})).toMatchObject({ ok: true, value: { cacheableBytes: 0 } });
  });
});
