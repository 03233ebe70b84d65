import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callTool } from './testing/call-tool.js';
import { createWebFetch } from './web-fetch.js';

// Processes and disks of a busy machine take their time; nothing here is about speed.
jest.setTimeout(60_000);

let server: Server;
let port: number;
const asked: string[] = [];

const pages: Record<string, (response: ServerResponse) => void> = {
  '/html': (response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end('<p>Héllo <b>you</b></p>'),
  '/latin': (response) =>
    response.setHeader('content-type', 'text/plain; charset=iso-8859-1').end(Buffer.from([0xe9])),
  '/json': (response) => response.setHeader('content-type', 'application/json').end('{"a":1}'),
  '/picture': (response) => response.setHeader('content-type', 'image/png').end('x'),
  '/large': (response) => response.setHeader('content-type', 'text/plain').end('x'.repeat(6_000_000)),
  '/none': (response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here'),
  '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
  '/to-html': (response) => response.writeHead(301, { location: 'html' }).end(),
  '/to-private': (response) =>
    response.writeHead(302, { location: `http://private.test:${port}/html` }).end(),
  '/to-metadata': (response) => response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end(),
  '/to-file': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/silent': () => undefined,
};

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.headers.host ?? ''}${request.url ?? ''}`);
    pages[request.url ?? '']?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

// The server stands for the public web: 127.0.0.1 is public here, and 127.0.0.2, the same machine, is private.
const names: Record<string, string[]> = {
  'public.test': ['127.0.0.1'],
  'private.test': ['127.0.0.2'],
  'both.test': ['127.0.0.1', '127.0.0.2'],
};
const tool = createWebFetch({
  resolve: (name) => Promise.resolve((names[name] ?? []).map((address) => ({ address, family: 4 }))),
  permits: (address) => address === '127.0.0.1',
});

const get = (path: string, host = 'public.test') =>
  callTool(tool, '/', { url: `http://${host}:${port}${path}` });
const getReal = (url: string) => callTool(createWebFetch(), '/', { url });

describe('web_fetch', () => {
  it('returns where it came from, the status and the text of a page', async () => {
    const url = `http://public.test:${port}`;
    expect(await get('/html')).toEqual({
      outcome: 'ok',
      text: `${url}/html answered 200 (text/html):\n\nHéllo you`,
    });
    expect((await get('/json')).text).toContain('\n\n{"a":1}');
    expect((await get('/latin')).text).toContain('\n\né');
    expect(await get('/none')).toEqual({
      outcome: 'error',
      text: `${url}/none answered 404 (text/plain):\n\nnothing here`,
    });
  });

  it('follows redirects, up to a number of them', async () => {
    expect((await get('/to-html')).text).toContain('/html answered 200');
    expect((await get('/loop')).text).toContain('More than 5 redirects');
  });

  it.each(['/to-private', '/to-metadata', '/to-file'])(
    'the redirect %s is judged like an address of its own',
    async (path) => {
      asked.length = 0;
      expect((await get(path)).outcome).toBe('error');
      expect(asked).toEqual([`public.test:${port}${path}`]);
    },
  );

  it('a name with any private address is not connected to, nor is one without an address', async () => {
    asked.length = 0;
    for (const host of ['private.test', 'both.test', 'none.test', '127.0.0.2'])
      expect((await get('/html', host)).text).toContain('not on the public internet');
    expect(asked).toEqual([]);
  });

  it('connects to the address that was judged, whatever the name means by then', async () => {
    let times = 0;
    const rebinding = createWebFetch({
      resolve: () =>
        Promise.resolve([{ address: (times += 1) === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]),
      permits: (address) => address === '127.0.0.1',
    });
    expect((await callTool(rebinding, '/', { url: `http://rebind.test:${port}/html` })).outcome).toBe('ok');
    expect(times).toBe(1);
  });

  it.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
    'http://0/',
    'file:///etc/passwd',
    'ftp://example.com/',
    'http://user:pass@example.com/',
    'not a url',
  ])('%s is refused by the product’s own rules', async (url) => {
    const { outcome, text } = await getReal(url);
    expect(outcome).toBe('error');
    expect(text).toMatch(/not on the public internet|only http and https|user name or password|not a URL/);
  });

  it('what is no text is not handed on, and what is too large is cut', async () => {
    expect((await get('/picture')).text).toContain('image/png: only text');
    const { text, full } = await get('/large');
    expect(text).toContain('Only the first 5242880 bytes were read');
    expect(full?.length).toBeLessThan(5_300_000);
  });

  it('[L17] a cancelled call ends, though the server never answers', async () => {
    const cancel = new AbortController();
    const result = callTool(
      tool,
      '/',
      { url: `http://public.test:${port}/silent` },
      { signal: cancel.signal },
    );
    while (!asked.some((one) => one.endsWith('/silent')))
      await new Promise((resolve) => setImmediate(resolve));
    cancel.abort();
    expect(await result).toEqual({ outcome: 'error', text: 'Cancelled.' });
  });

  it('[L17] a cancelled call ends, though the name is never resolved', async () => {
    const cancel = new AbortController();
    const stuck = createWebFetch({
      resolve: () => {
        cancel.abort();
        return new Promise(() => undefined);
      },
      permits: () => true,
    });
    expect((await callTool(stuck, '/', { url: 'http://a.test/' }, { signal: cancel.signal })).text).toBe(
      'Cancelled.',
    );
  });

  it('a server that cannot be reached is an error result', async () => {
    const { text } = await callTool(tool, '/', { url: 'http://public.test:1/' });
    expect(text).toContain('could not be fetched (ECONNREFUSED)');
  });
});
