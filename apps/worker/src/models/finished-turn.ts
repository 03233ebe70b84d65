import type { AssistantMessage, CallBlock } from '#transcripts';

import type { StopReason, TokenUsage } from './model.js';

/** A turn whose stop event was seen. */
export interface FinishedTurn {
  readonly blocks: AssistantMessage['blocks'];
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
  readonly isUsageReported: boolean;
  readonly truncated: boolean;
}

/** What stands for a usage that was not reported. */
export const NO_USAGE: TokenUsage = Object.freeze({
  inputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
});

/** A streamed call as a block; one that was cut, or whose text is no JSON, is marked and never executed (L07). */
export function callBlock(
  call: { readonly id: string; readonly name: string; readonly arguments: string },
  isCut: boolean,
): CallBlock {
  const block = { type: 'call' as const, id: call.id, name: call.name, arguments: call.arguments };
  return isCut || !isWholeJson(call.arguments) ? { ...block, truncated: true } : block;
}

function isWholeJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
