import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anthropicProtocol } from './anthropic/anthropic-protocol.js';
import { openaiProtocol } from './openai/openai-protocol.js';
import type { Protocol } from './protocol/protocol.js';
import { buildAnswer } from './scripts/build-answer.js';
import { readFacts } from './scripts/facts.js';
import { historySeed } from './scripts/history-seed.js';
import type { ScriptedAnswer } from './scripts/script-schema.js';

const usage = { prompt: 1, cacheRead: 0, cacheWrite: 0, completion: 1, reasoning: 0 };
const headers = { 'anthropic-version': '2023-06-01' };
const wellFormed = fc.string({ unit: 'binary', minLength: 1 }).map((text) => `${text}.`);
const answers: fc.Arbitrary<ScriptedAnswer> = fc.record(
  {
    text: wellFormed,
    reasoning: fc.array(wellFormed, { maxLength: 2 }),
    toolCalls: fc.array(
      fc.record({
        name: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
        arguments: fc.dictionary(fc.string(), fc.jsonValue()),
      }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ['text'] },
);

interface Client {
  readonly protocol: Protocol;
  readonly start: (messages: readonly unknown[]) => object;
  /** What a faithful client appends after an answer: the answer, then a result for each call, or a user's word. */
  readonly follow: (whole: unknown) => readonly unknown[];
}

const openai: Client = {
  protocol: openaiProtocol,
  start: (messages) => ({ model: 'scripted:x', messages }),
  follow: (whole) => {
    const { message } = (whole as { choices: [{ message: { tool_calls?: { id: string }[] } }] }).choices[0];
    const results = (message.tool_calls ?? []).map(({ id }) => ({
      role: 'tool',
      tool_call_id: id,
      content: 'done',
    }));
    return [message, ...(results.length > 0 ? results : [{ role: 'user', content: 'go on' }])];
  },
};
const anthropic: Client = {
  protocol: anthropicProtocol,
  start: (messages) => ({ model: 'scripted:x', max_tokens: 9999, messages }),
  follow: (whole) => {
    const { role, content } = whole as { role: string; content: { type: string; id?: string }[] };
    const results = content
      .filter((block) => block.type === 'tool_use')
      .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'done' }));
    return [
      { role, content },
      { role: 'user', content: results.length > 0 ? results : 'go on' },
    ];
  },
};

function growsSoundly(client: Client, turns: readonly ScriptedAnswer[]): void {
  let messages: readonly unknown[] = [{ role: 'user', content: 'begin' }];
  for (const scripted of turns) {
    const read = client.protocol.read(Buffer.from(JSON.stringify(client.start(messages))), headers);
    if (!read.ok) throw new Error(read.refusal.message);
    const call = read.value;
    const facts = readFacts(call.model, call.conversation, call.toolNames);
    const answer = buildAnswer(scripted, { facts, captures: [] }, historySeed(call.model, call.conversation));
    const reply = { call, id: 'x', createdAt: 0, answer, usage, chunkSize: 8 };
    messages = [...messages, ...client.follow(client.protocol.renderWhole(reply))];
  }
  const last = client.protocol.read(Buffer.from(JSON.stringify(client.start(messages))), headers);
  expect(last.ok).toBe(true);
}

describe.each([
  ['OpenAI', openai],
  ['Anthropic', anthropic],
])('a history that grows by its own answers, %s', (_name, client) => {
  it('an accepted history, its answer and a result for each call are accepted again', () => {
    fc.assert(
      fc.property(fc.array(answers, { minLength: 1, maxLength: 5 }), (turns) => growsSoundly(client, turns)),
    );
  });
});
