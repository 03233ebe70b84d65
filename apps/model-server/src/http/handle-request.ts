import type { IncomingMessage, ServerResponse } from 'node:http';
import { anthropicProtocol } from '../anthropic/anthropic-protocol.js';
import { openaiProtocol } from '../openai/openai-protocol.js';
import type { Protocol } from '../protocol/protocol.js';
import { controlRoute } from './control-routes.js';
import { modelRoute } from './model-route.js';
import { sendJson } from './send-json.js';
import type { ServerContext } from './server-context.js';

const protocols: ReadonlyMap<string, Protocol> = new Map(
  [openaiProtocol, anthropicProtocol].map((protocol) => [protocol.path, protocol]),
);

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const target = new URL(url, 'http://127.0.0.1');
  const protocol = method === 'POST' ? protocols.get(target.pathname) : undefined;
  if (protocol !== undefined) return modelRoute(protocol, request, response, context);
  if (await controlRoute(request, response, target, context)) return;
  const message = `Unknown request URL: ${method} ${target.pathname}.`;
  sendJson(response, 404, {
    error: { message, type: 'invalid_request_error', param: null, code: 'unknown_url' },
  });
}

/** Answers one HTTP request. A fault ends in status 500, or in a cut when the answer has begun; it never throws. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): Promise<void> {
  response.setHeader('x-offshoot-model-server', 'scripted');
  try {
    await route(request, response, context);
  } catch (error) {
    if (request.errored === null) context.onFault(error);
    if (response.headersSent) response.destroy();
    else
      sendJson(response, 500, {
        error: { message: 'The scripted server failed.', type: 'server_error', param: null, code: null },
      });
  }
}
