import { createServer, request as open, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';

/** A reverse proxy in front of a server, as many have one. */
export interface StrictProxy {
  readonly address: string;
  /** Answers that it cut off because nothing came for too long. */
  readonly cut: () => number;
  stop(): Promise<void>;
}

/**
 * A reverse proxy with the habits that break event streams: it holds an answer back until it is whole, unless told not to by
 * `X-Accel-Buffering: no`; it compresses for whoever accepts that, unless told not to by `Cache-Control: no-transform`; and it cuts
 * off an answer of which nothing came for `idleMs`.
 */
export async function startStrictProxy(upstream: string, idleMs: number): Promise<StrictProxy> {
  let cut = 0;
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const outgoing = open(new URL(url ?? '/', upstream), { method, headers, agent: false }, (answer) => {
      answer.setTimeout(idleMs, () => {
        cut += 1;
        answer.destroy();
        response.destroy();
      });
      answer.on('error', () => response.destroy());
      passOn(request, answer, response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    request.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => cut,
    stop: async () => {
      const stopped = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await stopped;
    },
  };
}

function passOn(request: IncomingMessage, answer: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': _length, ...headers } = answer.headers;
  const mayTransform = !(headers['cache-control'] ?? '').includes('no-transform');
  const isZipped = mayTransform && (request.headers['accept-encoding'] ?? '').includes('gzip');
  const body = isZipped ? answer.pipe(createGzip()) : answer;
  const send = (): void =>
    void response.writeHead(answer.statusCode ?? 502, {
      ...headers,
      ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
    });
  if (headers['x-accel-buffering'] === 'no') {
    send();
    response.flushHeaders();
    body.pipe(response);
    return;
  }
  const held: Buffer[] = [];
  body.on('data', (chunk: Buffer) => held.push(chunk));
  body.on('end', () => {
    send();
    response.end(Buffer.concat(held));
  });
}
