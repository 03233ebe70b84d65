import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ModelDelta } from '../model.js';
import { buildRequest } from '../testing/build-request.js';
import { AnthropicModel, type AnthropicModelOptions } from './anthropic-model.js';

type Handler = (response: ServerResponse, request: IncomingMessage) => void;

let server: Server;
let handler: Handler;
let received: number;

beforeEach(async () => {
  received = 0;
  server = createServer((request, response) => {
    received += 1;
    request.resume().on('end', () => handler(response, request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function model(options: Partial<AnthropicModelOptions> = {}): AnthropicModel {
  const { port } = server.address() as AddressInfo;
  return new AnthropicModel({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: 'k',
    limiterKey: 'k',
    maxOutputTokens: 100,
    ...options,
  });
}
const event = (data: { readonly type: string; readonly [name: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
function stream(response: ServerResponse, ...parts: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const part of parts) response.write(part);
}
const half = [
  event({ type: 'message_start', message: { usage: { input_tokens: 3 } } }),
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hi' } }),
];
const whole = [
  ...half,
  event({ type: 'content_block_stop', index: 0 }),
  event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
  event({ type: 'message_stop' }),
];
const never = new AbortController().signal;

describe('AnthropicModel, with an endpoint that misbehaves', () => {
  it('[SEC-1] says who asks, with this key only, whatever the environment holds', async () => {
    let headers: IncomingMessage['headers'] = {};
    handler = (response, request) => {
      headers = request.headers;
      stream(response, ...whole);
      response.end();
    };
    const origin = { agentId: 'agent-1', runId: 'run-1', epoch: 3 };
    process.env['ANTHROPIC_AUTH_TOKEN'] = 'another';
    try {
      await model().stream(buildRequest(), { signal: never, origin });
    } finally {
      delete process.env['ANTHROPIC_AUTH_TOKEN'];
    }
    expect(JSON.stringify(headers)).not.toContain('another');
    expect(headers).toMatchObject({
      authorization: 'Bearer k',
      'content-type': 'application/json',
      'anthropic-version': expect.any(String),
      'x-offshoot-agent': 'agent-1',
      'x-offshoot-run': 'run-1',
      'x-offshoot-epoch': '3',
    });
  });

  it('[L07] a cut in mid-stream is retryable, and what was said is no turn', async () => {
    const deltas: ModelDelta[] = [];
    handler = (response) => {
      stream(response, ...half);
      setTimeout(() => response.destroy(), 20);
    };
    const asked = model().stream(buildRequest(), { signal: never, onDelta: (delta) => deltas.push(delta) });
    await expect(asked).rejects.toMatchObject({ code: 'retryable' });
    expect(deltas).toEqual([{ type: 'text', text: 'hi' }]);
    expect(received).toBe(1);
  });

  it.each<[string, Handler]>([
    ['a cut', (response) => void setTimeout(() => response.destroy(), 20)],
    ['silence', () => undefined],
  ])('%s after the stop event costs nothing', async (_name, end) => {
    handler = (response, request) => {
      stream(response, ...whole);
      end(response, request);
    };
    const reply = await model().stream(buildRequest(), { signal: never });
    expect(reply).toMatchObject({
      stopReason: 'end',
      isUsageReported: true,
      usage: { inputTokens: 3, outputTokens: 1 },
    });
  });

  it.each<[string, Handler]>([
    ['before the first byte', () => undefined],
    ['in mid-stream', (response) => stream(response, ...half)],
  ])('the watchdog ends a silence %s, as retryable', async (_name, hang) => {
    handler = hang;
    const asked = model({ idleTimeoutMs: 60 }).stream(buildRequest(), { signal: never });
    await expect(asked).rejects.toMatchObject({ code: 'retryable' });
  });

  it('[L17] a cancelled stream is a cancellation, also with all of it there', async () => {
    const controller = new AbortController();
    handler = (response) => stream(response, ...whole);
    const asked = model().stream(buildRequest(), {
      signal: controller.signal,
      onDelta: () => setTimeout(() => controller.abort(), 20),
    });
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
  });

  it.each([
    ['a garbled event', 'event: message_start\ndata: {"type":\n\n', 'retryable'],
    ['an empty stream', '', 'retryable'],
    ['overload', event({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } }), 'retryable'],
    [
      'a bad key',
      event({ type: 'error', error: { type: 'authentication_error', message: 'no' } }),
      'credentials',
    ],
  ])('%s inside the stream is told apart', async (_name, part, code) => {
    handler = (response) => {
      stream(response, part);
      response.end();
    };
    await expect(model().stream(buildRequest(), { signal: never })).rejects.toMatchObject({ code });
    expect(received).toBe(1);
  });

  it('[L09] nothing is retried here, and the wish of the provider is passed on', async () => {
    handler = (response) => {
      response.writeHead(529, { 'content-type': 'application/json', 'retry-after': '7' });
      response.end('{"type":"error","error":{"type":"overloaded_error","message":"busy"}}');
    };
    await expect(model().stream(buildRequest(), { signal: never })).rejects.toMatchObject({
      code: 'retryable',
      status: 529,
      delayMs: 7_000,
    });
    expect(received).toBe(1);
  });

  it('an endpoint that is not there is unreachable', async () => {
    const gone = model({ baseUrl: 'http://127.0.0.1:1' });
    await expect(gone.stream(buildRequest(), { signal: never })).rejects.toMatchObject({
      code: 'unreachable',
    });
  });
});
