import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryPlan } from '../delivery/plan-delivery.js';

function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

async function writeFrames(
  response: ServerResponse,
  texts: readonly string[],
  delayMs: number,
  signal: AbortSignal,
): Promise<void> {
  if (delayMs === 0) return write(response, texts.join(''));
  for (const text of texts) {
    await sleep(delayMs, undefined, { signal });
    await write(response, text);
  }
}

function headersOf(contentType: string) {
  return { 'content-type': contentType, 'cache-control': 'no-cache' };
}

/** How to play: `chunkDelayMs` before each frame, headers of the answer, and a signal that ends it early. */
export interface Playing {
  readonly plan: DeliveryPlan;
  readonly contentType: string;
  readonly chunkDelayMs: number;
  readonly signal: AbortSignal;
}

/** The usual case in a single write. */
function sendAtOnce(response: ServerResponse, { plan, contentType }: Playing): void {
  const text = plan.frames.map((frame) => frame.text).join('');
  response.writeHead(200, headersOf(contentType)).end(text);
}

/**
 * Writes a planned delivery. A cut or hang before the first frame answers nothing, not even headers. Rejects with the
 * signal's reason when the client leaves.
 */
export async function playFrames(response: ServerResponse, playing: Playing): Promise<void> {
  const { plan, signal } = playing;
  if (plan.end === 'close' && playing.chunkDelayMs === 0) {
    sendAtOnce(response, playing);
    return;
  }
  if (plan.frames.length > 0) {
    response.writeHead(200, headersOf(playing.contentType));
    const texts = plan.frames.map((frame) => frame.text);
    await writeFrames(response, texts, playing.chunkDelayMs, signal);
  }
  switch (plan.end) {
    case 'close':
      response.end();
      return;
    case 'cut':
      response.destroy();
      return;
    case 'hang':
      if (!signal.aborted) await once(signal, 'abort');
  }
}
