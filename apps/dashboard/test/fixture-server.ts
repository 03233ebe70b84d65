import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { answerOf } from './fixture-answers.js';
import type { FixtureEvent, FixtureLog } from './fixture-log.js';

/** A server that speaks as much of the contract as the page uses (spec 05 §1, §2, §7, §9). */
export interface FixtureServer {
  readonly url: string;
  /** Lines like `POST /v1/approvals/a1 {"decision":"allow"}`. */
  readonly requests: readonly string[];
  /** The `Last-Event-ID` or `after` of every stream that was opened, null for none. */
  readonly resumedFrom: readonly (string | null)[];
  /** Cuts every open stream. */
  cutStreams(): void;
  /** The next stream that asks to resume is answered with a gap. */
  forgetCursors(): void;
  /** From now on every request is answered with this status; null mends it. */
  refuseWith(status: number | null): void;
  close(): Promise<void>;
}

const policy = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');
/** Payloads that are longer as JSON go by reference. */
const inlineLimit = 64 * 1024;
const assets: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/assets/app.js': ['app.js', 'text/javascript; charset=utf-8'],
  '/assets/app.css': ['app.css', 'text/css; charset=utf-8'],
};
const ended = new Set(['completed', 'failed', 'cancelled', 'idle', 'closed']);

export async function startFixtureServer(pageFolder: string, log: FixtureLog): Promise<FixtureServer> {
  const requests: string[] = [];
  const resumedFrom: (string | null)[] = [];
  const streams = new Set<ServerResponse>();
  let isForgetful = false;
  let refusal: number | null = null;

  const openStream = (request: IncomingMessage, response: ServerResponse, url: URL): void => {
    const header = request.headers['last-event-id'];
    const after = typeof header === 'string' ? header : url.searchParams.get('after');
    resumedFrom.push(after);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write('retry: 100\n: open\n\n');
    streams.add(response);
    const unfinished = [...log.agents.values()].filter((agent) => !ended.has(agent.status));
    const level = unfinished.map(({ id, status }) => ({ id, status }));
    response.write(`event: level\ndata: ${JSON.stringify({ unfinished: level })}\n\n`);
    if (after !== null && isForgetful) {
      isForgetful = false;
      const resume = log.events.at(-1)?.cursor ?? null;
      response.write(`event: gap\ndata: ${JSON.stringify({ reason: 'foreign', resume })}\n\n`);
    } else if (after !== null) {
      const place = log.events.findIndex((event) => event.cursor === after);
      for (const event of log.events.slice(place + 1)) response.write(frame(event));
    }
    const unfollow = log.follow((event) => response.write(frame(event)));
    response.on('close', () => {
      streams.delete(response);
      unfollow();
    });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://fixture');
    const body = await bodyOf(request);
    requests.push(`${request.method ?? ''} ${url.pathname} ${body}`.trim());
    if (await sendAsset(response, pageFolder, url.pathname)) return;
    if (refusal !== null) {
      sendJson(response, refusal, { title: 'Refused', status: refusal });
      return;
    }
    if (url.pathname.endsWith('/picture')) {
      sendPicture(response, log, url.pathname);
      return;
    }
    if (url.pathname === '/v1/events') {
      openStream(request, response, url);
      return;
    }
    const { status, content } = answerOf(log, request.method, url, body);
    sendJson(response, status, content);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => sendJson(response, 500, { title: String(error) }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const cutStreams = (): void => {
    for (const stream of streams) stream.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    resumedFrom,
    cutStreams,
    forgetCursors: () => (isForgetful = true),
    refuseWith: (status) => (refusal = status),
    close: async () => {
      cutStreams();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function sendAsset(response: ServerResponse, folder: string, pathname: string): Promise<boolean> {
  const asset = assets[pathname];
  if (asset === undefined) return false;
  response.writeHead(200, { 'content-type': asset[1], 'content-security-policy': policy });
  response.end(await readFile(path.join(folder, asset[0])));
  return true;
}

/** One dot, under the headers of the orchestrator; only records that name a picture have one. */
function sendPicture(response: ServerResponse, log: FixtureLog, pathname: string): void {
  const [, , , agentId, , version] = pathname.split('/');
  const record = log.events.find((one) => one.agentId === agentId && String(one.version) === version);
  const picture = record?.data['picture'] as { readonly blob?: string } | undefined;
  if (picture?.blob === undefined) {
    sendJson(response, 404, { title: 'Not found', status: 404 });
    return;
  }
  response.writeHead(200, {
    'content-type': 'image/png',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  response.end(Buffer.from(dot, 'base64'));
}

const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function frame(event: FixtureEvent): string {
  const cloudEvent = {
    specversion: '1.0',
    id: `event-${event.cursor}`,
    source: `/v1/agents/${event.agentId}`,
    type: `dev.offshoot.${event.type}`,
    subject: event.agentId,
    time: event.at,
    datacontenttype: 'application/json',
    streamversion: event.version,
    ...(JSON.stringify(event.data).length > inlineLimit
      ? { dataref: `/v1/agents/${event.agentId}/transcript?version=${event.version}` }
      : { data: event.data }),
  };
  return `id: ${event.cursor}\ndata: ${JSON.stringify(cloudEvent)}\n\n`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': status < 400 ? 'application/json' : 'application/problem+json',
    'cache-control': 'no-store',
  });
  response.end(JSON.stringify(body));
}
