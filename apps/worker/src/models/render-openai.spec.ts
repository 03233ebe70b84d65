import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { findHistoryDefect } from './find-history-defect.js';
import { renderOpenAi } from './render-openai.js';
import { requestFacts } from './request-facts.js';
import { buildRequest, call, calling, results, user } from './testing/build-request.js';
import { wholeHistory } from './testing/message-arbitraries.js';

interface SentMessage {
  role: string;
  content: string | null;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  reasoning_details?: unknown;
}
interface SentBody {
  messages: SentMessage[];
  tools?: { function: { name: string; parameters: unknown } }[];
}

function sent(fields: Parameters<typeof buildRequest>[0], options = {}): SentBody {
  return JSON.parse(renderOpenAi(buildRequest(fields), options).body) as SentBody;
}

function callIds(messages: readonly SentMessage[]): string[] {
  return messages.flatMap((message) => message.tool_calls?.map(({ id }) => id) ?? []);
}

describe('renderOpenAi, for every history', () => {
  it('[P05] a longer history goes on from the bytes of each of its beginnings', () => {
    fc.assert(
      fc.property(wholeHistory, fc.nat(12), (messages, cut) => {
        const whole = renderOpenAi(buildRequest({ messages }));
        const part = renderOpenAi(buildRequest({ messages: messages.slice(0, cut) }));
        expect(whole.body.startsWith(part.stem)).toBe(true);
        expect(whole.stem.startsWith(whole.prefix)).toBe(true);
      }),
    );
  });

  it('[P05] a fork with one more user message shares all that its parent sent', () => {
    fc.assert(
      fc.property(wholeHistory, (messages) => {
        const parent = renderOpenAi(buildRequest({ messages }));
        const fork = renderOpenAi(buildRequest({ messages: [...messages, user('directive')] }));
        expect(fork.prefix).toBe(parent.stem);
      }),
    );
  });

  it('[L03] no call id is sent twice, and each call has exactly one result right behind it', () => {
    fc.assert(
      fc.property(wholeHistory, (messages) => {
        expect(findHistoryDefect(messages)).toBeNull();
        const open = new Set<string>();
        const seen = new Set<string>();
        for (const message of sent({ messages }).messages) {
          if (message.role === 'tool') {
            expect(open.delete(message.tool_call_id ?? '')).toBe(true);
            continue;
          }
          expect(open.size).toBe(0);
          for (const id of callIds([message])) {
            expect(seen.has(id)).toBe(false);
            expect(id).toMatch(/^[\w.:-]{1,48}$/);
            seen.add(id);
            open.add(id);
          }
        }
        expect(open.size).toBe(0);
      }),
    );
  });

  it('[L11] no content is blank, no tool name unsendable, no text ill-formed', () => {
    fc.assert(
      fc.property(wholeHistory, fc.string({ unit: 'binary' }), (messages, system) => {
        const request = buildRequest({ messages, system });
        const { body } = renderOpenAi(request);
        expect(body).not.toMatch(/\p{Surrogate}/u);
        for (const message of (JSON.parse(body) as SentBody).messages) {
          expect(JSON.stringify(message)).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/i);
          if (message.content !== null) expect(message.content.trim()).not.toBe('');
          else expect(message.tool_calls).not.toHaveLength(0);
          for (const made of message.tool_calls ?? [])
            expect(made.function.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        }
        const { bytes, facts } = requestFacts(renderOpenAi(request));
        expect(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)).toBe(body);
        expect(facts.prefixBytes).toBeLessThan(facts.bytes);
      }),
    );
  });
});

describe('renderOpenAi', () => {
  const schema =
    '{"type":"object","properties":{"10":{"default":1.10},"2":{"default":1e2}},"required":["10"]}';

  it('splices settings and schemas byte for byte, and puts the volatile keys last', () => {
    const { body } = renderOpenAi(
      buildRequest({
        settings: ' {"temperature":1.10, "seed":9007199254740993} ',
        declarations: [{ name: 'read_file', description: 'Reads.', parametersText: schema }],
      }),
    );
    expect(body).toBe(
      `{"model":"m","temperature":1.10, "seed":9007199254740993,"tools":[{"type":"function","function":` +
        `{"name":"read_file","description":"Reads.","parameters":${schema}}}],"messages":[` +
        `{"role":"system","content":"Be brief."},{"role":"user","content":"hello"}` +
        `],"stream":true,"stream_options":{"include_usage":true}}`,
    );
  });

  it('[P01] declarations are sent in the order given, and no declarations as no member at all', () => {
    const declarations = ['b', 'a'].map((name) => ({ name, description: '', parametersText: schema }));
    expect(sent({ declarations }).tools?.map((tool) => tool.function.name)).toEqual(['b', 'a']);
    expect(sent({ declarations: [] })).not.toHaveProperty('tools');
  });

  it('replays arguments as the text that was streamed', () => {
    const text = '{"n":1.10,"big":9007199254740993,"a":1,"a":2, "e":1e2}';
    const { messages } = sent({
      messages: [user('x'), calling(call('a', { arguments: text })), results(['a', 'r'])],
    });
    expect(messages[2]?.tool_calls?.[0]?.function.arguments).toBe(text);
  });

  it('empties arguments that are no object only where the endpoint parses what it gets back', () => {
    const messages = [user('x'), calling(call('a', { arguments: '{"path":"/a/b' })), results(['a', 'cut'])];
    const argumentsOf = (body: SentBody): string | undefined =>
      body.messages[2]?.tool_calls?.[0]?.function.arguments;
    expect(argumentsOf(sent({ messages }))).toBe('{"path":"/a/b');
    expect(argumentsOf(sent({ messages }, { emptiesUnreadableArguments: true }))).toBe('{}');
  });

  it('[L03] an id that repeats in a turn and in the next is renamed, and results find their own call', () => {
    const { messages } = sent({
      messages: [
        user('x'),
        calling(call('dup'), call('dup')),
        results(['dup', 'first'], ['dup', 'second']),
        calling(call('dup')),
        results(['dup', 'third']),
      ],
    });
    const ids = callIds(messages);
    expect(ids).toEqual(['dup', 'call_2', 'call_3']);
    const answers = messages
      .filter(({ role }) => role === 'tool')
      .map((message) => [message.tool_call_id, message.content]);
    expect(answers).toEqual([
      ['dup', 'first'],
      ['call_2', 'second'],
      ['call_3', 'third'],
    ]);
  });

  it('[L11] the placeholders are these bytes', () => {
    const { messages } = sent({
      messages: [
        user(' '),
        { role: 'assistant', blocks: [] },
        { role: 'user', blocks: [] },
        calling(call('a')),
        results(['a', '\n']),
      ],
    });
    expect(messages.slice(1).map((message) => message.content)).toEqual([
      '(empty message)',
      '(no content)',
      '(empty message)',
      null,
      '(no output)',
    ]);
  });

  it('[L05] a called name that no provider takes back is sent cleaned', () => {
    const made = calling(call('a', { name: 'my.server/ü tool' }), call('b', { name: '' }));
    const { messages } = sent({ messages: [user('x'), made, results(['a', 'r'], ['b', 'r'])] });
    expect(messages[2]?.tool_calls?.map((one) => one.function.name)).toEqual(['my_server___tool', 'unnamed']);
  });

  it('[L21] an opaque block goes back byte for byte to its model and to no other', () => {
    const raw = '{"reasoning_details":[{"signature":"s=","n":1.10}]}';
    const said = { type: 'text' as const, text: 'hi' };
    const opaque = { type: 'opaque' as const, provider: 'openai:m', raw };
    const request = buildRequest({ messages: [user('x'), { role: 'assistant', blocks: [opaque, said] }] });
    expect(renderOpenAi(request).body).toContain(`"content":"hi",${raw.slice(1, -1)}}`);
    expect(renderOpenAi({ ...request, model: 'other' }).body).not.toContain('reasoning_details');
  });

  it('[P03] one request renders to the same bytes whenever it is asked for', () => {
    // Taken with sha256sum over the literal body: a change of these bytes is a cache miss for every running agent.
    expect(requestFacts(renderOpenAi(buildRequest())).facts).toEqual({
      digest: 'b502173b3c47e9bb6659dd038d2c56498610c8ee6fc0a0101e561d46522ea27a',
      bytes: 154,
      prefixDigest: '9963b70780491788b83c4605a66166ea68ecff4f0c218c2cc402eaffd6ccc94b',
      prefixBytes: 64,
    });
  });
});
