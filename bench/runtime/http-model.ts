import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AT_ONCE, nextTurn, TOOL_TURNS } from './workload.js';

/** A provider on loopback that costs next to nothing: it counts results and streams the next turn. */
export interface HttpModel {
  readonly baseUrl: string;
  /** Resolves with the time of the next request, in milliseconds of `performance.now`. */
  nextRequest(): Promise<number>;
  requests(): number;
  stop(): Promise<void>;
}

const frame = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const usage = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [], usage: { prompt_tokens: 900, completion_tokens: 20, total_tokens: 920 } })}\n\ndata: [DONE]\n\n`;

function answerTo(body: string, say?: string): string {
  const results = body.includes(AT_ONCE) ? TOOL_TURNS : body.split('"role":"tool"').length - 1;
  const frames = nextTurn(results).map((block) => {
    if (block.type === 'text') return frame({ role: 'assistant', content: say ?? block.text });
    if (block.type !== 'call') return '';
    const { id, name, arguments: args } = block;
    return frame({ tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: args } }] });
  });
  return `${frames.join('')}${frame({}, results < TOOL_TURNS ? 'tool_calls' : 'stop')}${usage}`;
}

/** `say` is what it says in every turn instead of the few words of the workload. */
export async function startHttpModel(say?: string): Promise<HttpModel> {
  let count = 0;
  let notify: ((at: number) => void) | null = null;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    count += 1;
    notify?.(performance.now());
    notify = null;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(answerTo(Buffer.concat(chunks).toString(), say));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    nextRequest: () => new Promise((resolve) => (notify = resolve)),
    requests: () => count,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
