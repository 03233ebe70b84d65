import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startModelServer, type ModelServer } from './start-model-server.js';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer({ port: 0 });
  const rules = [
    {
      answer: { reasoning: 'hm', text: 'words', toolCalls: [{ name: 'glob', arguments: { a: '1.10' } }] },
      delivery: { chunkSize: 3 },
    },
  ];
  await fetch(`${server.url}/_scripts/x`, { method: 'PUT', body: JSON.stringify({ rules }) });
});
afterEach(() => server.close());

const post = (body: object) =>
  fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    headers: { 'anthropic-version': '2023-06-01', 'x-api-key': 'secret' },
    body: JSON.stringify({
      model: 'scripted:x',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'hi' }],
      ...body,
    }),
  });
interface Event {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: { readonly type: string };
  readonly delta?: Readonly<Record<string, string>>;
  readonly usage?: object;
}
const joined = (events: readonly Event[], key: string) =>
  events.map((event) => event.delta?.[key] ?? '').join('');

describe('the Messages protocol', () => {
  it('a streamed answer is built of blocks that add up to the whole one', async () => {
    const whole = (await (await post({})).json()) as {
      content: Record<string, unknown>[];
      stop_reason: string;
    };
    const text = await (await post({ stream: true })).text();
    const events = text
      .split('\n\n')
      .filter((part) => part !== '')
      .map((part) => JSON.parse(part.split('\ndata: ')[1] ?? '') as Event);
    expect(events[0]?.type).toBe('message_start');
    expect(events.at(-1)).toEqual({ type: 'message_stop' });
    expect(events.at(-2)).toMatchObject({
      type: 'message_delta',
      delta: { stop_reason: whole.stop_reason },
      usage: { output_tokens: 7 },
    });
    expect(
      events
        .filter((event) => event.type === 'content_block_start')
        .map((event) => event.content_block?.type),
    ).toEqual(['thinking', 'text', 'tool_use']);
    const [thinking, said, use] = whole.content;
    expect(joined(events, 'thinking')).toBe(thinking?.['thinking']);
    expect(joined(events, 'signature')).toBe(thinking?.['signature']);
    expect(joined(events, 'text')).toBe(said?.['text']);
    expect(JSON.parse(joined(events, 'partial_json'))).toEqual(use?.['input']);
  });

  it('[P10] cache reads and writes are reported apart, and only under a mark', async () => {
    const system = [{ type: 'text', text: 'y'.repeat(400), cache_control: { type: 'ephemeral' } }];
    const usageOf = async (body: object) =>
      ((await (await post(body)).json()) as { usage: Record<string, number> }).usage;
    const first = await usageOf({ system });
    const second = await usageOf({ system });
    expect(first).toMatchObject({ cache_read_input_tokens: 0 });
    expect(first['cache_creation_input_tokens']).toBeGreaterThan(100);
    expect(second).toMatchObject({
      cache_read_input_tokens: first['cache_creation_input_tokens'],
      cache_creation_input_tokens: 0,
    });
    expect(await usageOf({})).toMatchObject({ cache_read_input_tokens: 0, cache_creation_input_tokens: 0 });
  });

  it('a refusal has the shape of this provider', async () => {
    const answered = await post({ messages: [] });
    expect(answered.status).toBe(400);
    expect(await answered.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining('messages') },
    });
    expect(await (await post({ model: 'absent' })).json()).toMatchObject({
      error: { type: 'not_found_error' },
    });
  });
});
