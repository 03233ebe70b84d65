import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI, { APIError } from 'openai';
import { startModelServer, type ModelServer } from './start-model-server.js';

let server: ModelServer;
let client: OpenAI;
let faults: unknown[];

beforeEach(async () => {
  faults = [];
  server = await startModelServer({ port: 0, onFault: (error) => faults.push(error) });
  client = new OpenAI({ apiKey: 'sk-secret', baseURL: `${server.url}/v1`, maxRetries: 0 });
});
afterEach(async () => {
  await server.close();
  expect(faults).toEqual([]);
});

const user = (content: string) => ({ role: 'user' as const, content });
const send = (method: string, path: string, body?: unknown) =>
  fetch(`${server.url}${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
async function script(name: string, ...rules: object[]): Promise<string> {
  const answered = await send('PUT', `/_scripts/${name}`, { rules });
  expect(await answered.json()).toEqual({ name, model: `scripted:${name}` });
  return `scripted:${name}`;
}
const ask = (model: string, text = 'hello') =>
  client.chat.completions.create({ model, messages: [user(text)] });
const streamOf = (model: string) =>
  client.chat.completions.create({
    model,
    messages: [user('hello')],
    stream: true,
    stream_options: { include_usage: true },
  });
async function recorded(): Promise<
  { n: number; status: number | null; end: string | null; body: string; headers: object }[]
> {
  return ((await (await send('GET', '/_requests')).json()) as { requests: [] }).requests;
}
async function errorOf(promise: Promise<unknown>): Promise<APIError> {
  const error: unknown = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof APIError)) throw new Error('expected an API error', { cause: error });
  return error;
}

describe('answers to the openai client', () => {
  it('the default script says the last message back and finishes, and says that it is scripted', async () => {
    const { data, response } = await ask('scripted:default', 'héllo').withResponse();
    expect(data).toMatchObject({
      model: 'scripted:default',
      system_fingerprint: 'scripted',
      choices: [{ message: { role: 'assistant', content: 'héllo' }, finish_reason: 'stop' }],
    });
    expect(response.headers.get('x-offshoot-model-server')).toBe('scripted');
    expect(response.headers.get('x-request-id')).toBe('req_1');
  });

  it('a streamed answer adds up to the whole one, usage last', async () => {
    const model = await script('both', {
      answer: {
        text: 'some words \u{1f600}',
        reasoning: 'hm',
        toolCalls: [{ name: 'glob', arguments: { pattern: '*.ts' } }],
      },
      delivery: { chunkSize: 3 },
    });
    const whole = (await ask(model, 'hello')).choices[0]!;
    const chunks = [];
    for await (const chunk of await streamOf(model)) chunks.push(chunk);
    const deltas = chunks.flatMap((chunk) => chunk.choices.map((choice) => choice.delta));
    const calls = deltas.flatMap((delta) => delta.tool_calls ?? []);
    expect(deltas.map((delta) => delta.content ?? '').join('')).toBe(whole.message.content);
    expect(calls.map((call) => call.function?.arguments ?? '').join('')).toBe('{"pattern":"*.ts"}');
    expect(calls[0]).toMatchObject({ id: whole.message.tool_calls?.[0]?.id, function: { name: 'glob' } });
    const details = deltas.flatMap((delta) =>
      'reasoning_details' in delta ? (delta.reasoning_details as []) : [],
    );
    expect({ reasoning_details: details }).toEqual({
      reasoning_details: Reflect.get(whole.message, 'reasoning_details'),
    });
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('tool_calls');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: expect.any(Number) } });
  });

  it("[L01] a history that breaks the pairing is refused with the place in OpenAI's error shape", async () => {
    const broken = [user('x'), { role: 'tool' as const, tool_call_id: 'a', content: 'y' }];
    const error = await errorOf(
      client.chat.completions.create({ model: 'scripted:default', messages: broken }),
    );
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', param: 'messages[1]' });
  });

  it('a model without a script, a script without a fitting rule, and a request over the window are refused', async () => {
    expect(await errorOf(ask('scripted:absent'))).toMatchObject({ status: 404, code: 'model_not_found' });
    const picky = await script('picky', { when: { lastUserContains: 'please' }, answer: {} });
    expect(await errorOf(ask(picky))).toMatchObject({ status: 400, code: 'no_rule_matched' });
    await send('PUT', '/_scripts/small', { window: 50, rules: [{ answer: { text: 'ok' } }] });
    expect((await ask('scripted:small')).choices[0]?.message.content).toBe('ok');
    expect(await errorOf(ask('scripted:small', 'x'.repeat(200)))).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
    });
  });

  it('[P05] the shared beginning of two requests is reported as cached tokens', async () => {
    const first = await ask('scripted:default', 'x'.repeat(400));
    const second = await ask('scripted:default', `${'x'.repeat(400)}y`);
    const [one, two] = (await recorded()).map(({ body }) => body);
    let shared = 0;
    while (one?.[shared] === two?.[shared]) shared += 1;
    expect(first.usage?.prompt_tokens_details?.cached_tokens).toBe(0);
    expect(second.usage?.prompt_tokens_details?.cached_tokens).toBe(Math.floor(shared / 16) * 4);
    expect(shared).toBeGreaterThan(400);
  });

  it('[P10] a script can state the four numbers of usage itself', async () => {
    const model = await script('priced', {
      answer: { text: 'ok', usage: { prompt: 100, cacheRead: 60, cacheWrite: 30, completion: 7 } },
    });
    expect((await ask(model)).usage).toMatchObject({
      prompt_tokens: 100,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
    });
  });
});

describe('scripted trouble', () => {
  it('[L09] an error carries its status, code and Retry-After, and ends after so many arrivals of the same bytes', async () => {
    const model = await script(
      'busy',
      {
        error: {
          status: 429,
          code: 'rate_limit_exceeded',
          headers: { 'Retry-After': '{{httpDate:30}}' },
          times: 2,
        },
      },
      { answer: { text: 'at last' } },
    );
    const before = Date.now();
    const error = await errorOf(ask(model));
    expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', type: 'rate_limit_error' });
    expect(Date.parse(error.headers?.get('retry-after') ?? '')).toBeGreaterThanOrEqual(before + 29_000);
    expect(await errorOf(ask(model))).toMatchObject({ status: 429 });
    expect(await errorOf(ask(model, 'other bytes'))).toMatchObject({ status: 429 });
    expect((await ask(model)).choices[0]?.message.content).toBe('at last');
  });

  it('[L07] a cut stream ends in an error after the chunks that were sent', async () => {
    const model = await script('cut', {
      answer: { text: 'abcdef' },
      delivery: { chunkSize: 1, cutAfterChunks: 3 },
    });
    let text = '';
    const reading = (async () => {
      for await (const chunk of await streamOf(model)) text += chunk.choices[0]?.delta.content ?? '';
    })();
    await expect(reading).rejects.toThrow();
    expect(text).toBe('ab');
    await expect(ask(model)).rejects.toThrow();
    expect((await recorded()).map(({ end }) => end)).toEqual(['cut', 'cut']);
  });

  it('[L07] a stream can end without its finish', async () => {
    const model = await script('open', {
      answer: { text: 'abc' },
      delivery: { omitFinish: true, omitDone: true },
    });
    const finishes: unknown[] = [];
    for await (const chunk of await streamOf(model))
      finishes.push(...chunk.choices.map((choice) => choice.finish_reason));
    expect(finishes.every((finish) => finish === null)).toBe(true);
  });

  it('a hanging stream stays silent until the client leaves', async () => {
    const model = await script('hang', {
      answer: { text: 'abc' },
      delivery: { hangAfterChunks: 2, chunkDelayMs: 1 },
    });
    const leaving = new AbortController();
    const stream = await client.chat.completions.create(
      { model, messages: [user('hello')], stream: true },
      { signal: leaving.signal },
    );
    const seen: string[] = [];
    for await (const chunk of stream) {
      seen.push(chunk.choices[0]?.delta.content ?? '');
      if (seen.length === 2) leaving.abort();
    }
    expect(seen).toEqual(['', 'abc']);
    let [ended] = await recorded();
    while (ended?.end === null) [ended] = await recorded();
    expect(ended).toMatchObject({ status: 200, end: 'hang' });
  });
});

describe('what the server keeps', () => {
  it('the bytes of a request come back as they were sent, and no credential with them', async () => {
    const body = '{"messages": [{"content":"\\u00e9 1.10","role":"user"}],   "model":"scripted:default"}';
    await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      body,
      headers: { authorization: 'Bearer sk-secret', 'x-offshoot-agent': 'a1' },
    });
    expect(await (await send('GET', '/_requests/1/body')).text()).toBe(body);
    expect((await recorded())[0]).toMatchObject({
      n: 1,
      status: 200,
      end: 'close',
      headers: { 'x-offshoot-agent': 'a1' },
    });
    expect(JSON.stringify(await recorded())).not.toContain('sk-secret');
    expect((await send('DELETE', '/_requests')).status).toBe(204);
    expect(await recorded()).toEqual([]);
    expect((await send('GET', '/_requests/1/body')).status).toBe(404);
  });

  it('refused requests are recorded too, also when their body is no text', async () => {
    const answered = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      body: Buffer.from([0xff, 0x00]),
    });
    expect(answered.status).toBe(400);
    expect((await recorded())[0]).toMatchObject({ status: 400, bodyBase64: '/wA=' });
  });

  it('scripts are listed as models, and a bad script is refused with its issues', async () => {
    await script('one', { answer: {} });
    expect((await client.models.list()).data.map((model) => model.id)).toEqual([
      'scripted:default',
      'scripted:one',
    ]);
    const bad = await send('PUT', '/_scripts/two', { rules: [{ answr: {} }] });
    expect(bad.status).toBe(400);
    expect(await bad.text()).toContain('answr');
    expect((await send('PUT', '/_scripts/..%2Fx', { rules: [{ answer: {} }] })).status).toBe(400);
    expect((await send('DELETE', '/_scripts/one')).status).toBe(204);
    expect((await send('GET', '/_scripts/one')).status).toBe(404);
    expect((await send('GET', '/nowhere')).status).toBe(404);
  });

  it('scripts are loaded from a directory, and bodies written to one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'model-server-'));
    await writeFile(
      join(folder, 'filed.json'),
      JSON.stringify({ rules: [{ answer: { text: 'from a file' } }] }),
    );
    const other = await startModelServer({
      port: 0,
      scriptsDirectory: folder,
      recordDirectory: join(folder, 'out'),
    });
    try {
      const body = JSON.stringify({ model: 'scripted:filed.json', messages: [user('x')] });
      const answered = await fetch(`${other.url}/v1/chat/completions`, { method: 'POST', body });
      expect(await answered.text()).toContain('from a file');
      expect(await readFile(join(folder, 'out', '000001.body'), 'utf8')).toBe(body);
      await writeFile(join(folder, 'bad.json'), '{"rules":[]}');
      await expect(startModelServer({ port: 0, scriptsDirectory: folder })).rejects.toThrow('bad.json');
    } finally {
      await other.close();
      await rm(folder, { recursive: true });
    }
  });
});
