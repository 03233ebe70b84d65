import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openSession } from '../support/e2e/agents.js';
import { EventReader } from '../support/e2e/event-reader.js';
import { type StrictProxy, startStrictProxy } from '../support/e2e/strict-proxy.js';
import { startSystem, type TestSystem } from '../support/e2e/start-system.js';

jest.setTimeout(240_000);

/** Less than many proxies wait; a heartbeat comes in less than this. */
const idleMs = 15_000;

describe('event streams behind a proxy that buffers, compresses and cuts what is idle', () => {
  let system: TestSystem;
  let proxy: StrictProxy;

  beforeAll(async () => {
    system = await startSystem({ workers: 0 });
    proxy = await startStrictProxy(system.api.address, idleMs);
  });
  afterAll(async () => {
    await proxy.stop();
    await system.stop();
  });

  const openAnother = (): Promise<string> =>
    openSession(system.api, { projectRoot: '/', model: 'scripted:none' });

  /** Answers a stream through the proxy as its headers and what came of it so far. */
  function connect(path: string, accept: string) {
    const headers = { authorization: `Bearer ${system.key}`, accept, 'accept-encoding': 'gzip' };
    const seen = { text: '', hasEnded: false };
    return new Promise<{ readonly response: IncomingMessage; readonly seen: typeof seen }>(
      (resolve, reject) => {
        get(`${proxy.address}${path}`, { headers, agent: false }, (response) => {
          response.setEncoding('utf8').on('data', (chunk: string) => (seen.text += chunk));
          response.on('error', () => undefined).on('close', () => (seen.hasEnded = true));
          resolve({ response, seen });
        }).once('error', reject);
      },
    );
  }

  it('[S09] stay open while nothing happens, for longer than the proxy waits, and then tell of an event at once', async () => {
    const reader = new EventReader({ address: proxy.address, key: system.key });
    const lines = await connect('/v1/events', 'application/jsonl');
    // The level signal came through: nothing waits for the end of the stream.
    await reader.start();
    const heartbeats = Math.ceil((2.5 * idleMs) / 10_000);
    await reader.until(() => reader.comments >= heartbeats, 120_000);
    const session = await openAnother();
    await reader.until(() => reader.seen.some(({ subject }) => subject === session));
    while (!lines.seen.text.includes(session) && !lines.seen.hasEnded) await pause(20);
    expect(reader.connections).toBe(1);
    expect(lines.seen.hasEnded).toBe(false);
    expect(lines.seen.text).toContain(session);
    expect(lines.response.headers).not.toHaveProperty('content-encoding');
    expect(proxy.cut()).toBe(0);
    await reader.stop();
    lines.response.destroy();
  });

  it('[S10] ten tabs at once each have their stream through it, and requests are answered beside them', async () => {
    const tabs = Array.from(
      { length: 10 },
      () => new EventReader({ address: proxy.address, key: system.key }),
    );
    await Promise.all(tabs.map((tab) => tab.start()));
    const session = await openAnother();
    await Promise.all(
      tabs.map((tab) => tab.until(() => tab.seen.some(({ subject }) => subject === session))),
    );
    expect(tabs.map(({ connections }) => connections)).toEqual(tabs.map(() => 1));
    await Promise.all(tabs.map((tab) => tab.stop()));
  });
});

describe('the proxy of these specs', () => {
  let server: Server;
  let headers: Record<string, string>;
  let proxy: StrictProxy;

  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).write(': first\n\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    proxy = await startStrictProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 300);
  });
  afterAll(async () => {
    await proxy.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** What came of an endless stream until it was cut off. */
  const textOf = (): Promise<string> =>
    new Promise((resolve) => {
      get(proxy.address, { agent: false, headers: { 'accept-encoding': 'gzip' } }, (response) => {
        let text = '';
        response.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
        response.on('error', () => undefined).on('close', () => resolve(text));
      }).once('error', () => resolve('nothing'));
    });

  it.each([
    ['nothing of a stream that says nothing', {}, 'nothing'],
    ['no frame of a stream that may be compressed', { 'x-accel-buffering': 'no' }, ''],
    [
      'the first frame of a stream that forbids both',
      { 'x-accel-buffering': 'no', 'cache-control': 'no-transform' },
      ': first\n\n',
    ],
  ])('lets %s through, and cuts it when it is idle', async (_what, given, expected) => {
    headers = given;
    const before = proxy.cut();
    expect(
      (await textOf()).includes(': first') ? ': first\n\n' : expected === 'nothing' ? 'nothing' : '',
    ).toBe(expected);
    expect(proxy.cut()).toBe(before + 1);
  });
});
