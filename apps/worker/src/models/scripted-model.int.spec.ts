import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import type { Message } from '#transcripts';

import { openModel } from './model-catalog.js';
import type { ModelReply } from './model.js';
import { buildRequest, results, user } from './testing/build-request.js';
import { wholeHistory } from './testing/message-arbitraries.js';
import { startScriptedServer, type ScriptedServer } from './testing/start-scripted-server.js';

let server: ScriptedServer;
const { signal } = new AbortController();
const declarations = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    parametersText: '{"type":"object","properties":{"10":{},"2":{}}}',
  },
];

beforeAll(async () => {
  server = await startScriptedServer();
}, 60_000);
afterAll(() => server.stop());

/** The two ways to the same scripts. */
const protocols = ['scripted', 'anthropic'] as const;

function open(
  script: string,
  protocol: (typeof protocols)[number] = 'scripted',
): { ask: (messages: readonly Message[], inherited?: number) => Promise<ModelReply> } {
  const opened = openModel(`${protocol}:${script}`, {
    scripted: { baseUrl: server.url },
    anthropic: { baseUrl: server.url, apiKey: 'k', outputCapOf: () => undefined },
  });
  if (!opened.ok) throw new Error(opened.message);
  const { model, modelName } = opened;
  return {
    ask: (messages, inherited) => {
      const inheritedLengths = inherited === undefined ? [] : [inherited];
      const request = buildRequest({ model: modelName, declarations, messages, inheritedLengths });
      return model.stream(request, { signal });
    },
  };
}

/** The history after a turn, each of its calls answered. */
function after(messages: readonly Message[], reply: ModelReply): readonly Message[] {
  const pairs = reply.blocks.flatMap((block) => (block.type === 'call' ? [[block.id, ''] as const] : []));
  return [
    ...messages,
    { role: 'assistant', blocks: reply.blocks },
    ...(pairs.length > 0 ? [results(...pairs)] : []),
  ];
}

describe('a scripted model, over HTTP with a strict server', () => {
  it.each(['', '/', '/v1', '/v1/'])(
    'is found at the address the server prints, with "%s" behind it',
    async (suffix) => {
      const opened = openModel('scripted:default', { scripted: { baseUrl: `${server.url}${suffix}` } });
      if (!opened.ok) throw new Error(opened.message);
      const reply = await opened.model.stream(buildRequest({ model: opened.modelName }), { signal });
      expect(reply.blocks).toEqual([{ type: 'text', text: 'hello' }]);
    },
  );
});

describe.each(protocols)('%s: a model behind a strict server', (protocol) => {
  it('[P05] what was sent is what was rendered, and a fork shares all bytes of its parent', async () => {
    const { ask } = open('default', protocol);
    const parent = [user('plan the work')];
    const reply = await ask(parent);
    const history = after(parent, reply);
    const fork = await ask([...history, user('do your part')], history.length);
    const [first, second] = (await server.bodies()).slice(-2);
    expect(Buffer.byteLength(first ?? '')).toBe(reply.request.bytes);
    const shared = Buffer.from(second ?? '')
      .subarray(0, fork.request.prefixBytes)
      .toString();
    expect(shared.startsWith((first ?? '').replace(/\],("max_tokens":\d+,)?"stream".*$/, ''))).toBe(true);
    expect(fork.usage.cachedTokens).toBeGreaterThan(0);
    expect(reply).toMatchObject({ stopReason: 'end', truncated: false, isUsageReported: true });
    expect(reply.blocks).toEqual([{ type: 'text', text: 'plan the work' }]);
  });

  it('[L03] repeated call ids of the server are accepted by it on the way back', async () => {
    const toolCalls = [
      { id: 'dup', name: 'read_file', arguments: { path: 'a' } },
      { id: 'dup', name: 'read_file', arguments: { path: 'b' } },
    ];
    await server.putScript('dup', {
      rules: [
        { when: { assistantTurns: { below: 2 } }, answer: { toolCalls, duplicateIds: true } },
        { answer: { text: 'done' } },
      ],
    });
    const { ask } = open('dup', protocol);
    let messages: readonly Message[] = [user('go')];
    const replies: ModelReply[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const reply = await ask(messages);
      replies.push(reply);
      messages = after(messages, reply);
    }
    const ids = replies[0]?.blocks.map((block) => (block.type === 'call' ? block.id : null));
    expect(new Set(ids).size).toBe(1);
    expect(replies[2]?.blocks).toEqual([{ type: 'text', text: 'done' }]);
  });

  it('[L21] reasoning goes back to its model as it came', async () => {
    await server.putScript('think', {
      rules: [
        {
          answer: { reasoning: ['first I thought', 'then I was sure'], text: 'hi' },
          delivery: { chunkSize: 3 },
        },
      ],
    });
    const { ask } = open('think', protocol);
    const messages = [user('x')];
    const reply = await ask(messages);
    expect(reply.blocks[0]).toMatchObject({ type: 'opaque' });
    expect(await ask([...after(messages, reply), user('y')])).toMatchObject({ stopReason: 'end' });
    expect(await open('default', protocol).ask([...after(messages, reply), user('y')])).toMatchObject({
      stopReason: 'end',
    });
  });

  it('[L07] malformed arguments and an output at its cap are marked, and the history stays sendable', async () => {
    const toolCalls = [{ name: 'read_file', arguments: { path: '/a/b/c' } }];
    await server.putScript('cut', {
      rules: [
        { when: { assistantTurns: 0 }, answer: { toolCalls, malformedArguments: true } },
        { when: { assistantTurns: 1 }, answer: { toolCalls, finishReason: 'length' } },
        { answer: { text: 'done' } },
      ],
    });
    const { ask } = open('cut', protocol);
    let messages: readonly Message[] = [user('go')];
    for (const stopReason of ['tool_calls', 'length']) {
      const reply = await ask(messages);
      expect(reply).toMatchObject({
        stopReason,
        truncated: true,
        blocks: [{ type: 'call', truncated: true }],
      });
      messages = after(messages, reply);
    }
    expect(await ask(messages)).toMatchObject({ stopReason: 'end', truncated: false });
  });

  it('[L07] a stream without its stop event is no turn', async () => {
    await server.putScript('nostop', {
      rules: [{ answer: { text: 'half' }, delivery: { omitFinish: true } }],
    });
    await expect(open('nostop', protocol).ask([user('x')])).rejects.toMatchObject({ code: 'retryable' });
  });

  it('[C19] an unpaired history is refused before anything is sent', async () => {
    const before = (await server.bodies()).length;
    const unpaired = results(['nobody', 'r']);
    await expect(open('default', protocol).ask([user('x'), unpaired])).rejects.toMatchObject({
      code: 'invalid_request',
      messageIndex: 1,
    });
    expect(await server.bodies()).toHaveLength(before);
  });

  it('[L11] [C19] the strict server takes every history that is whole', async () => {
    const { ask } = open('default', protocol);
    await fc.assert(
      fc.asyncProperty(wholeHistory, async (messages) => {
        await expect(ask(messages)).resolves.toMatchObject({ stopReason: 'end' });
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
