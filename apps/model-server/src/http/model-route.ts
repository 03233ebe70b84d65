import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { planDelivery } from '../delivery/plan-delivery.js';
import type { Protocol, Frame, Reply } from '../protocol/protocol.js';
import { statusOf } from '../protocol/status-of.js';
import { recordedHeaders } from '../recording/recorded-headers.js';
import type { RecordedRequest, RequestEnd } from '../recording/request-log.js';
import { RefusalKind, type Refusal } from '../refusal.js';
import { errorHeaders } from '../scripts/error-headers.js';
import type { Delivery, ScriptedError } from '../scripts/script-schema.js';
import { decideOutcome, type Outcome } from './decide-outcome.js';
import { playFrames } from './play-frames.js';
import { readBody } from './read-body.js';
import { sendJson } from './send-json.js';
import type { ServerContext } from './server-context.js';

const maxBodyBytes = 64 * 1024 * 1024;

interface Exchange {
  readonly protocol: Protocol;
  readonly response: ServerResponse;
  readonly context: ServerContext;
  /** Aborted when the client leaves or the server closes. */
  readonly signal: AbortSignal;
}

/** A whole answer has two frames, so that a script can stop in the middle of it. */
function wholeFrames(value: unknown): readonly Frame[] {
  const text = JSON.stringify(value);
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].map((half) => ({ part: 'content', text: half }));
}

function sendRefusal({ protocol, response }: Exchange, refusal: Refusal): RequestEnd {
  const status = statusOf(refusal);
  sendJson(response, status, protocol.renderError({ ...refusal, status, type: null }));
  return 'close';
}

async function sendAnswer(exchange: Exchange, reply: Reply, delivery: Delivery): Promise<RequestEnd> {
  const { protocol, response, signal } = exchange;
  const { stream } = reply.call;
  const frames = stream ? protocol.renderFrames(reply) : wholeFrames(protocol.renderWhole(reply));
  const plan = planDelivery(frames, delivery);
  await playFrames(response, {
    plan,
    signal,
    chunkDelayMs: delivery.chunkDelayMs ?? 0,
    contentType: stream ? 'text/event-stream; charset=utf-8' : 'application/json',
  });
  return plan.end;
}

function sendError({ protocol, response, context }: Exchange, error: ScriptedError): RequestEnd {
  const reply = {
    status: error.status,
    message: error.message ?? `The script answers with an error of status ${error.status}.`,
    type: error.type ?? null,
    code: error.code ?? null,
    param: null,
  };
  const headers = errorHeaders(error.headers ?? {}, context.nowMs());
  sendJson(response, error.status, error.body ?? protocol.renderError(reply), headers);
  return 'close';
}

async function sendOutcome(exchange: Exchange, outcome: Outcome): Promise<RequestEnd> {
  if (outcome.kind === 'refused') {
    sendJson(exchange.response, outcome.status, exchange.protocol.renderError(outcome.error));
    return 'close';
  }
  const { delayMs } = outcome.delivery;
  if (delayMs !== undefined) await sleep(delayMs, undefined, { signal: exchange.signal });
  return outcome.kind === 'error'
    ? sendError(exchange, outcome.error)
    : sendAnswer(exchange, outcome.reply, outcome.delivery);
}

async function answer(exchange: Exchange, recorded: RecordedRequest): Promise<RequestEnd> {
  const read = exchange.protocol.read(recorded.body, recorded.headers);
  if (!read.ok) return sendRefusal(exchange, read.refusal);
  return sendOutcome(exchange, decideOutcome(read.value, recorded.body, exchange.context));
}

async function settle(exchange: Exchange, recorded: RecordedRequest): Promise<void> {
  const { response, signal } = exchange;
  try {
    recorded.end = await answer(exchange, recorded);
  } catch (error) {
    if (!signal.aborted && !response.destroyed) throw error;
    recorded.end = 'client-gone';
  } finally {
    exchange.context.log.settle(recorded, response.headersSent ? response.statusCode : null);
  }
}

/** Aborted when the connection ends before the answer does: the client left, or the server closed. */
function signalOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** Answers one request in a provider's protocol and records it. */
export async function modelRoute(
  protocol: Protocol,
  request: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): Promise<void> {
  const exchange: Exchange = { protocol, response, context, signal: signalOf(response) };
  const body = await readBody(request, maxBodyBytes);
  if (body === null) {
    sendRefusal(exchange, {
      kind: RefusalKind.tooLarge,
      code: 'request_too_large',
      message: `A request may hold ${maxBodyBytes} bytes.`,
      param: null,
    });
    return;
  }
  const recorded = context.log.add({
    at: new Date(context.nowMs()).toISOString(),
    path: protocol.path,
    headers: recordedHeaders(request.headers),
    body,
  });
  response.setHeader('x-request-id', `req_${recorded.n}`);
  await context.record?.(recorded).catch(context.onFault);
  await settle(exchange, recorded);
}
