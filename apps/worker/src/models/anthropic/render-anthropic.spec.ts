import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import type { Message } from '#transcripts';
import { requestFacts } from '../request-facts.js';
import { buildRequest, call, calling, results, user } from '../testing/build-request.js';
import { wholeHistory } from '../testing/message-arbitraries.js';
import { renderAnthropic } from './render-anthropic.js';

interface SentBlock {
  type: string;
  text?: string;
  id?: string;
  name?: string;
  input?: unknown;
  tool_use_id?: string;
  content?: string;
  is_error?: boolean;
  cache_control?: unknown;
}
interface SentBody {
  system?: SentBlock[];
  tools?: { name: string; cache_control?: unknown }[];
  messages: { role: string; content: SentBlock[] }[];
  max_tokens: number;
}

const render = (fields: Parameters<typeof buildRequest>[0]) =>
  renderAnthropic(buildRequest(fields), { maxOutputTokens: 1_000 });
const sent = (fields: Parameters<typeof buildRequest>[0]) => JSON.parse(render(fields).body) as SentBody;
const mark = { cache_control: { type: 'ephemeral' } };
const says = (text: string): Message => ({ role: 'assistant', blocks: [{ type: 'text', text }] });
const id = /^[A-Za-z0-9_-]{1,64}$/;

const isBlank = (text: string | undefined): boolean => text?.trim() === '';

/** What a provider refuses of what a block holds, by its type. */
const refused: Readonly<Record<string, (block: SentBlock) => boolean>> = {
  text: ({ text }) => isBlank(text),
  tool_use: (block) =>
    !id.test(block.id ?? '') || !id.test(block.name ?? '') || typeof block.input !== 'object',
  tool_result: ({ content }) => isBlank(content),
};

type Sent = SentBody['messages'][number];
const callsIn = ({ content }: Sent) =>
  content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])).sort();
/** The results behind a message, before the next answer: the provider reads neighbours of one role as one. */
function answeredBehind(messages: readonly Sent[], index: number) {
  const behind = messages.slice(index + 1);
  const end = behind.findIndex(({ role }) => role === 'assistant');
  const until = end === -1 ? behind : behind.slice(0, end);
  return until.flatMap(({ content }) => content.flatMap((block) => block.tool_use_id ?? [])).sort();
}
const marksOf = ({ messages }: SentBody) =>
  messages.flatMap(({ content }, index) => (content.some((block) => block.cache_control) ? [index] : []));

describe('renderAnthropic, for every history', () => {
  it('[P05] a longer history goes on from the bytes of each of its beginnings', () => {
    fc.assert(
      fc.property(wholeHistory, fc.nat(12), (messages, cut) => {
        const whole = render({ messages });
        const part = render({ messages: messages.slice(0, cut) });
        expect(whole.body.startsWith(part.stem)).toBe(true);
        expect(whole.stem.startsWith(whole.prefix)).toBe(true);
      }),
    );
  });

  it('[P05] a fork shares every byte that its parent sent, marks included, and so do its siblings and its later turns', () => {
    fc.assert(
      fc.property(wholeHistory, fc.string(), (messages, answer) => {
        const parent = render({ messages });
        const inherited = [...messages, says(answer)];
        const inheritedLengths = [inherited.length];
        const [one, two] = ['a', 'b'].map((directive) => [...inherited, user(directive)]);
        const fork = render({ messages: one ?? [], inheritedLengths });
        const sibling = render({ messages: two ?? [], inheritedLengths });
        const later = render({ messages: [...(one ?? []), says('x'), user('go on')], inheritedLengths });
        const shared = parent.body.slice(0, parent.body.lastIndexOf('],"max_tokens"'));
        for (const { body } of [fork, sibling, later]) expect(body.startsWith(shared)).toBe(true);
        expect(sibling.prefix).toBe(fork.prefix);
        expect(later.body.startsWith(fork.stem)).toBe(true);
      }),
    );
  });

  it('[L03] [L11] is taken by the provider: ids once each with one result behind, nothing blank, four marks at most', () => {
    fc.assert(
      fc.property(wholeHistory, fc.array(fc.nat(9)), (messages, inheritedLengths) => {
        const body = sent({ messages, inheritedLengths });
        const sentBlocks = body.messages.flatMap(({ content }) => content);
        const ids = sentBlocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
        expect(body.messages.every(({ content }) => content.length > 0)).toBe(true);
        expect(sentBlocks.filter((block) => refused[block.type]?.(block))).toEqual([]);
        expect(new Set(ids).size).toBe(ids.length);
        for (const [index, message] of body.messages.entries())
          if (message.role === 'assistant')
            expect(answeredBehind(body.messages, index)).toEqual(callsIn(message));
        expect(marksOf(body).length).toBeLessThanOrEqual(3);
      }),
    );
  });

  it('[L11] no text is ill-formed', () => {
    fc.assert(
      fc.property(wholeHistory, fc.string({ unit: 'binary' }), (messages, system) => {
        const { body } = render({ messages, system });
        expect(body).not.toMatch(/\p{Surrogate}/u);
        expect(JSON.stringify(JSON.parse(body))).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/i);
      }),
    );
  });
});

describe('renderAnthropic', () => {
  const schema = '{"type":"object","properties":{"10":{"default":1.10},"2":{"default":1e2}}}';
  const declarations = [{ name: 'read_file', description: 'Reads.', parametersText: schema }];

  it('splices settings and schemas byte for byte, and puts the volatile keys last', () => {
    const { body } = render({ settings: ' {"temperature":1.10} ', declarations });
    expect(body).toBe(
      `{"model":"m","temperature":1.10,"tools":[{"name":"read_file","description":"Reads.","input_schema":${schema}}],` +
        `"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],"messages":[` +
        `{"role":"user","content":[{"type":"text","text":"hello","cache_control":{"type":"ephemeral"}}]}` +
        `],"max_tokens":1000,"stream":true}`,
    );
  });

  it('a cap of the settings is the only cap, where it stands', () => {
    const { body } = render({ settings: '{"max_tokens":77}' });
    expect(body.match(/"max_tokens":\d+/g)).toEqual(['"max_tokens":77']);
  });

  it('without a system text the last tool carries the mark', () => {
    const body = sent({
      system: null,
      declarations: [...declarations, { ...declarations[0], name: 'b' } as never],
    });
    expect(body).not.toHaveProperty('system');
    expect(body.tools?.map(({ cache_control }) => cache_control)).toEqual([undefined, mark.cache_control]);
  });

  it('marks the end of the request, and of the last request of each ancestor where that put it', () => {
    const messages = [user('1'), says('2'), user('3'), says('4'), user('5'), says('6'), user('7')];
    expect(marksOf(sent({ messages }))).toEqual([6]);
    expect(marksOf(sent({ messages, inheritedLengths: [6] }))).toEqual([4, 6]);
    expect(marksOf(sent({ messages, inheritedLengths: [2, 4] }))).toEqual([0, 2, 6]);
    expect(marksOf(sent({ messages, inheritedLengths: [2, 4, 6] }))).toEqual([2, 4, 6]);
    expect(marksOf(sent({ messages, inheritedLengths: [1] }))).toEqual([6]);
  });

  it('[E08] replays arguments as the text that was streamed, and an empty object for what is none', () => {
    const text = '{"zebra":1,"alpha":2,"n":1.10,"big":9007199254740993,"a":1,"a":2, "e":1e2}';
    const made = calling(call('a', { arguments: text }), call('b', { arguments: '{"path":"/a/b' }));
    const { body } = render({ messages: [user('x'), made, results(['a', 'r'], ['b', 'r'])] });
    expect(body).toContain(`"input":${text}}`);
    expect(body).toContain('"id":"b","name":"read_file","input":{}}');
  });

  it('[L21] reasoning goes back byte for byte to its model, and whole or not at all', () => {
    const block = (raw: string, provider = 'anthropic:m') => ({ type: 'opaque' as const, provider, raw });
    const one = '{"type":"thinking","thinking":"a","signature":"s="}';
    const two = '{"type":"redacted_thinking","data":"x","n":1.10}';
    const bodyOf = (...blocks: readonly ReturnType<typeof block>[]) =>
      render({
        messages: [
          user('x'),
          { role: 'assistant', blocks: [...blocks, { type: 'text', text: 'hi' }] },
          user('y'),
        ],
      }).body;
    expect(bodyOf(block(one), block(two))).toContain(`"content":[${one},${two},{"type":"text"`);
    for (const other of [
      block(two, 'anthropic:other'),
      block('{"type":"thinking","thinking":"\\ud800"}'),
      block('{'),
    ])
      expect(bodyOf(block(one), other)).not.toContain('thinking');
  });

  it('[L11] the placeholders are these bytes, and reasoning alone is no answer', () => {
    const raw = '{"type":"thinking","thinking":"a","signature":"s="}';
    const body = sent({
      messages: [
        user(' '),
        { role: 'assistant', blocks: [{ type: 'opaque', provider: 'anthropic:m', raw }] },
        user('x'),
        calling(call('a')),
        results(['a', '\n']),
      ],
    });
    const texts = body.messages.map(({ content }) =>
      content.map((block) => block.text ?? block.content ?? block.type),
    );
    expect(texts).toEqual([
      ['(empty message)'],
      ['thinking', '(no content)'],
      ['x'],
      ['tool_use'],
      ['(no output)'],
    ]);
  });

  it('a failed call says so', () => {
    const failed: Message = {
      role: 'tool',
      blocks: [{ type: 'result', callId: 'a', name: 'read_file', content: 'no', isError: true }],
    };
    const body = sent({ messages: [user('x'), calling(call('a')), failed] });
    expect(body.messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: 'no', is_error: true, ...mark },
    ]);
  });

  it('[P03] one request renders to the same bytes whenever it is asked for', () => {
    // Taken with sha256sum over the literal body: a change of these bytes is a cache miss for every running agent.
    const { digest, bytes } = requestFacts(render({})).facts;
    expect([digest, bytes]).toEqual([
      '3d6bbac1b6ccd73bc0804a7bed561e8cf533b804110d59a4c74f5477579b27e6',
      237,
    ]);
  });
});
