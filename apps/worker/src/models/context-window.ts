import type { Message } from '#transcripts';
import type { ModelRequest } from './model.js';

/** What a model can take and give, in tokens; each absent where it is not known. */
export interface ModelLimits {
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
}

/** Tokens for a byte until the provider has told better: four bytes a token. */
const USUAL_DENSITY = 0.25;

/** Windows that are known without configuration, by the beginning of a model spec. */
const KNOWN: readonly (readonly [string, number])[] = [['anthropic:claude-', 200_000]];

/** The limits of a model: as configured, else as known. */
export function modelLimits(spec: string, configured: ReadonlyMap<string, ModelLimits>): ModelLimits {
  const known = KNOWN.find(([start]) => spec.startsWith(start));
  return { ...(known === undefined ? {} : { contextWindow: known[1] }), ...configured.get(spec) };
}

/** How many tokens a request may hold, so that the answer still fits; null where no window is known. */
export function inputRoom({ contextWindow, maxOutputTokens = 0 }: ModelLimits): number | null {
  if (contextWindow === undefined) return null;
  return contextWindow - Math.min(maxOutputTokens, Math.floor(contextWindow / 2));
}

/** Tokens for a byte, from the last request that the provider counted; bounded, since its bytes may have been cached text only. */
export function tokenDensity(last: { readonly bytes: number; readonly inputTokens: number } | null): number {
  if (last === null || last.bytes === 0) return USUAL_DENSITY;
  return Math.min(1, Math.max(0.1, last.inputTokens / last.bytes));
}

/** About how many bytes of a request a message is: its texts and what a renderer puts around each. */
export function messageSize(message: Message): number {
  let size = 40;
  for (const block of message.blocks) size += 60 + blockSize(block);
  return size;
}

/** About how many bytes a request renders to, without rendering it. */
export function requestSize(request: ModelRequest): number {
  let size = 200 + bytes(request.system ?? '') + bytes(request.settings);
  for (const tool of request.declarations)
    size += 80 + bytes(tool.name) + bytes(tool.description) + bytes(tool.parametersText);
  for (const message of request.messages) size += messageSize(message);
  return size;
}

function blockSize(block: Message['blocks'][number]): number {
  switch (block.type) {
    case 'text':
      return bytes(block.text);
    case 'call':
      return bytes(block.name) + bytes(block.arguments);
    case 'result':
      return bytes(block.content);
    case 'opaque':
      return bytes(block.raw);
  }
}

const bytes = (text: string): number => Buffer.byteLength(text);
