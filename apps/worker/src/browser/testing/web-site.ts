import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web site of the machine for specs of the browser, with what it was asked for. */
export interface WebSite {
  readonly address: string;
  readonly asked: string[];
  stop(): Promise<void>;
}

const page = (body: string): string => `<!doctype html><title>A page</title><body>${body}`;

const FORM = `<h1>Order</h1><label>Name <input id="name"></label>
<button onclick="document.querySelector('h1').textContent = 'Thanks, ' + document.querySelector('#name').value;
console.log('ordered', document.querySelector('#name').value); fetch('/order?by=' + document.querySelector('#name').value)">Order</button>`;

const PAGES: Readonly<Record<string, string>> = {
  '/': page(FORM),
  '/noise': page('<script>for (let i = 1; i <= 600; i += 1) console.log("line " + i)</script>'),
  '/errors': page(
    '<script>console.error("it is " + "x".repeat(5000)); setTimeout(() => { throw new Error("broken") })</script><img src="/missing.png">',
  ),
  '/dialog': page(
    '<button onclick="document.body.append(String(confirm(`sure?`)))">Ask</button><a href="/other" target="_blank">Other</a><a href="/file" download>Get</a>',
  ),
  '/other': page('<h1>Other</h1>'),
  '/long': page(Array.from({ length: 3_000 }, (_, row) => `<p>Row ${row} 🙂</p>`).join('')),
  '/out': page('<a href="file:///etc/hostname">a file</a>'),
};

const HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/cookie': { 'set-cookie': 'seen=yes' },
  '/policy': { 'content-security-policy': "default-src 'none'; script-src 'none'" },
  '/file': { 'content-disposition': 'attachment; filename=x.bin' },
};

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', 'http://site');
  if (pathname === '/never') return;
  const isMissing = /^\/missing|\.png$/.test(pathname);
  const headers = { 'content-type': 'text/html; charset=utf-8', ...HEADERS[pathname] };
  response.writeHead(isMissing ? 404 : 200, headers);
  response.end(PAGES[pathname] ?? page(isMissing ? '<h1>Not here</h1>' : 'ok'));
}

export async function startWebSite(): Promise<WebSite> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.cookie ?? '-'}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
