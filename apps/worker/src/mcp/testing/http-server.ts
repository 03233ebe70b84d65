import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

/** A streamable HTTP server of raw JSON-RPC that keeps sessions and can lose them. */
export interface HttpServer {
  readonly url: string;
  readonly initialised: () => number;
  /** The headers of the last request. */
  readonly headers: () => IncomingMessage['headers'];
  /** Forgets every session, as a restart does. */
  forget(): void;
  /** Stops listening and cuts every connection. */
  stop(): Promise<void>;
  /** Listens again where it listened. */
  restart(): Promise<void>;
}

export async function startHttpServer(): Promise<HttpServer> {
  const sessions = new Set<string>();
  let initialised = 0;
  let headers: IncomingMessage['headers'] = {};
  const answer = (message: Message, response: ServerResponse): void => {
    if (message.method === 'initialize') {
      initialised += 1;
      const session = randomUUID();
      sessions.add(session);
      response.setHeader('mcp-session-id', session);
    }
    if (message.params?.name === 'stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': no answer yet\n\n');
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) }));
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    headers = request.headers;
    const session = headers['mcp-session-id'];
    if (session !== undefined && !sessions.has(String(session))) return void response.writeHead(404).end();
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message = JSON.parse(await bodyOf(request)) as Message;
    if (message.id === undefined) response.writeHead(202).end();
    else answer(message, response);
  };
  let server = await listen(handle, 0);
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    initialised: () => initialised,
    headers: () => headers,
    forget: () => sessions.clear(),
    stop,
    restart: async () => {
      server = await listen(handle, port);
    },
  };
}

function resultOf({ method, params }: Message): unknown {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'h', version: '1' },
      };
    case 'tools/list':
      return { tools: ['echo', 'stream'].map((name) => ({ name, inputSchema: { type: 'object' } })) };
    case 'tools/call':
      return { content: [{ type: 'text', text: `called ${params?.name ?? ''}` }] };
    default:
      return {};
  }
}

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  port: number,
): Promise<Server> {
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
