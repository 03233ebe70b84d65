import type { TokenUsage } from '../model.js';
import type { RawAnthropicUsage } from './anthropic-event.js';

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/**
 * Usage after one more report. Later reports are totals and not additions, and may leave out what they do not change. This
 * protocol counts cache reads and writes apart from the input, as we do (P10).
 */
export function mergeAnthropicUsage(known: TokenUsage, raw: RawAnthropicUsage): TokenUsage {
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = raw;
  return {
    inputTokens: isCount(input_tokens) ? input_tokens : known.inputTokens,
    cachedTokens: isCount(cache_read_input_tokens) ? cache_read_input_tokens : known.cachedTokens,
    cacheWriteTokens: isCount(cache_creation_input_tokens)
      ? cache_creation_input_tokens
      : known.cacheWriteTokens,
    outputTokens: isCount(output_tokens) ? output_tokens : known.outputTokens,
  };
}
