import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ControlReply, ControlRoute } from './control-reply.js';
import { readBody } from './read-body.js';
import { clearRequests, getRequestBody, listRequests } from './request-routes.js';
import { deleteScript, getScript, listModels, listScripts, putScript } from './script-routes.js';
import { sendJson } from './send-json.js';
import type { ServerContext } from './server-context.js';

const maxBodyBytes = 4 * 1024 * 1024;

const routes: readonly (readonly [method: string, path: RegExp, route: ControlRoute])[] = [
  ['GET', /^\/v1\/models$/, listModels],
  ['GET', /^\/_health$/, () => ({ status: 200, json: { status: 'ok', kind: 'scripted' } })],
  ['GET', /^\/_scripts$/, listScripts],
  ['GET', /^\/_scripts\/([^/]+)$/, getScript],
  ['PUT', /^\/_scripts\/([^/]+)$/, putScript],
  ['DELETE', /^\/_scripts\/([^/]+)$/, deleteScript],
  ['GET', /^\/_requests$/, listRequests],
  ['DELETE', /^\/_requests$/, clearRequests],
  ['GET', /^\/_requests\/(\d{1,15})\/body$/, getRequestBody],
];

function send(response: ServerResponse, reply: ControlReply): void {
  if ('json' in reply) sendJson(response, reply.status, reply.json);
  else if ('bytes' in reply)
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(reply.bytes);
  else response.writeHead(reply.status).end();
}

/** Answers a request that is no model request; false when no route fits. */
export async function controlRoute(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  context: ServerContext,
): Promise<boolean> {
  for (const [method, pattern, route] of routes) {
    const found = request.method === method ? pattern.exec(url.pathname) : null;
    if (found === null) continue;
    const body = await readBody(request, maxBodyBytes);
    send(response, route({ argument: found[1] ?? '', query: url.searchParams, body, context }));
    return true;
  }
  return false;
}
