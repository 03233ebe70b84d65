import type { Answer, Usage } from '../protocol/answer.js';
import { cachedTokensOf, tokensOf } from './token-count.js';

/** Tokens of what a model wrote besides its reasoning. */
function writtenTokens(answer: Answer): number {
  const calls = answer.calls.reduce((sum, call) => sum + Buffer.byteLength(call.name + call.arguments), 0);
  return tokensOf(Buffer.byteLength(answer.text) + calls);
}

/** What was read: `bodyBytes` in all, `sharedBytes` of them seen before, `cacheableBytes` as in `ModelCall`. */
export interface PromptBytes {
  readonly bodyBytes: number;
  readonly sharedBytes: number;
  readonly cacheableBytes: number | null;
}

/**
 * Usage of one answer. Without an explicit cache mark (`cacheableBytes` null) reads are counted and writes are not;
 * with one, only the marked bytes can be read from or written to the cache.
 */
export function countUsage(prompt: PromptBytes, answer: Answer): Usage {
  const total = tokensOf(prompt.bodyBytes);
  const marked = prompt.cacheableBytes ?? prompt.bodyBytes;
  const cacheRead = cachedTokensOf(Math.min(prompt.sharedBytes, marked));
  const cacheWrite = prompt.cacheableBytes === null ? 0 : Math.max(0, cachedTokensOf(marked) - cacheRead);
  const reasoning = tokensOf(Buffer.byteLength(answer.reasoning.join('')));
  return { prompt: total, cacheRead, cacheWrite, completion: writtenTokens(answer) + reasoning, reasoning };
}
