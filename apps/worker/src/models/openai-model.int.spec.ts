import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { InProcessProviderLimiter } from './in-process-provider-limiter.js';
import type { ModelDelta } from './model.js';
import { OpenAiModel, type OpenAiModelOptions } from './openai-model.js';
import { callWithRetry } from './retry.js';
import { buildRequest } from './testing/build-request.js';

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

function model(options: Partial<OpenAiModelOptions> = {}): OpenAiModel {
  const { port } = server.address() as AddressInfo;
  return new OpenAiModel({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: 'k',
    limiterKey: 'k',
    ...options,
  });
}
function chunk(delta: object, finish_reason: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
}
function stream(response: ServerResponse, ...parts: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const part of parts) response.write(part);
}
const whole = [chunk({ content: 'hi' }), chunk({}, 'stop'), 'data: [DONE]\n\n'];
const never = new AbortController().signal;

describe('OpenAiModel, with an endpoint that misbehaves', () => {
  it('says who asks, to this endpoint and with this key only', async () => {
    let headers: IncomingMessage['headers'] = {};
    handler = (response, request) => {
      headers = request.headers;
      stream(response, ...whole);
      response.end();
    };
    const origin = { agentId: 'agent-1', runId: 'run-1', epoch: 3 };
    await model().stream(buildRequest(), { signal: never, origin });
    expect(headers).toMatchObject({
      authorization: 'Bearer k',
      'content-type': 'application/json',
      'x-offshoot-agent': 'agent-1',
      'x-offshoot-run': 'run-1',
      'x-offshoot-epoch': '3',
    });
  });

  it('[L07] a cut in mid-stream is retryable, and what was said is no turn', async () => {
    const deltas: ModelDelta[] = [];
    handler = (response) => {
      stream(response, chunk({ content: 'half' }));
      setTimeout(() => response.destroy(), 20);
    };
    const asked = model().stream(buildRequest(), { signal: never, onDelta: (delta) => deltas.push(delta) });
    await expect(asked).rejects.toMatchObject({ code: 'retryable', cause: { message: 'terminated' } });
    expect(deltas).toEqual([{ type: 'text', text: 'half' }]);
    expect(received).toBe(1);
  });

  it('a cut after the stop event costs the usage, not the turn', async () => {
    handler = (response) => {
      stream(response, ...whole.slice(0, 2));
      setTimeout(() => response.destroy(), 20);
    };
    const reply = await model().stream(buildRequest(), { signal: never });
    expect(reply).toMatchObject({ stopReason: 'end', isUsageReported: false });
  });

  it('silence after the stop event ends the turn when the grace for usage is over', async () => {
    handler = (response) => stream(response, ...whole.slice(0, 2));
    const reply = await model({ usageGraceMs: 30 }).stream(buildRequest(), { signal: never });
    expect(reply).toMatchObject({ stopReason: 'end', isUsageReported: false });
  });

  it.each<[string, Handler]>([
    ['before the first byte', () => undefined],
    ['in mid-stream', (response) => stream(response, chunk({ content: 'half' }))],
  ])('the watchdog ends a silence %s, as retryable', async (_name, hang) => {
    handler = hang;
    const asked = model({ idleTimeoutMs: 60 }).stream(buildRequest(), { signal: never });
    await expect(asked).rejects.toMatchObject({ code: 'retryable' });
  });

  it('[L17] a cancelled stream is a cancellation, even when its stop event was seen', async () => {
    const controller = new AbortController();
    handler = (response) => stream(response, ...whole.slice(0, 2));
    const asked = model().stream(buildRequest(), {
      signal: controller.signal,
      onDelta: () => setTimeout(() => controller.abort(), 20),
    });
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('[L17] nothing is sent for a signal that has fired', async () => {
    handler = (response) => response.end();
    await expect(model().stream(buildRequest(), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(received).toBe(0);
  });

  it('a garbled chunk, an empty stream and an error inside the stream are retryable', async () => {
    for (const part of ['data: {"choices":[\n\n', '', 'data: {"error":{"message":"overloaded"}}\n\n']) {
      handler = (response) => {
        stream(response, part);
        response.end();
      };
      await expect(model().stream(buildRequest(), { signal: never })).rejects.toMatchObject({
        code: 'retryable',
      });
    }
  });

  it('an endpoint that is not there is unreachable', async () => {
    const gone = model({ baseUrl: 'http://127.0.0.1:1/v1' });
    await expect(gone.stream(buildRequest(), { signal: never })).rejects.toMatchObject({
      code: 'unreachable',
    });
  });
});

describe('callWithRetry over HTTP', () => {
  const limiter = () => new InProcessProviderLimiter({ maxConcurrent: 4 });

  function throttle(retryAfter: string): void {
    handler = (response) => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': retryAfter });
      response.end('{"error":{"message":"slow down","code":"rate_limit_exceeded"}}');
    };
  }

  it.each([
    ['seconds', '30', 30_000],
    ['too many seconds', '999999', 3_600_000],
    ['an HTTP-date', new Date(Date.now() + 3_600_000).toUTCString(), 3_000_000],
  ])(
    '[L09] 429 with %s in Retry-After parks the run after one request',
    async (_name, retryAfter, atLeastMs) => {
      throttle(retryAfter);
      const outcome = await callWithRetry(model(), buildRequest(), { limiter: limiter(), signal: never });
      expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { code: 'retryable', status: 429 } });
      expect(outcome.ok ? 0 : outcome.waitMs).toBeGreaterThanOrEqual(atLeastMs);
      expect(received).toBe(1);
    },
  );

  it.each(['abc', '-5', ''])(
    '[L09] 429 with "Retry-After: %s" is retried with backoff',
    async (retryAfter) => {
      const slept: number[] = [];
      throttle(retryAfter);
      const sleep = (ms: number): Promise<void> => {
        slept.push(ms);
        handler = (response) => {
          stream(response, ...whole);
          response.end();
        };
        return Promise.resolve();
      };
      const options = { limiter: limiter(), signal: never, sleep, random: () => 0 };
      const outcome = await callWithRetry(model(), buildRequest(), options);
      expect(outcome).toMatchObject({ ok: true, attempts: 2 });
      expect(slept).toEqual([250]);
      expect(received).toBe(2);
    },
  );

  it('[L09] a spent quota is not retried as throttling', async () => {
    handler = (response) => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' });
      response.end('{"error":{"message":"pay","code":"insufficient_quota"}}');
    };
    const call = callWithRetry(model(), buildRequest(), { limiter: limiter(), signal: never });
    await expect(call).rejects.toMatchObject({ code: 'quota' });
    expect(received).toBe(1);
  });

  it('[C19] a refused request is sent once', async () => {
    handler = (response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"messages[3] is empty","type":"invalid_request_error"}}');
    };
    const call = callWithRetry(model(), buildRequest(), { limiter: limiter(), signal: never });
    await expect(call).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('messages[3]'),
    });
    expect(received).toBe(1);
  });
});
