import type { TokenUsage } from './model.js';

/** Usage as the endpoint sent it; every number may be missing, null or nonsense. */
export interface RawOpenAiUsage {
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: unknown;
    readonly cache_write_tokens?: unknown;
  } | null;
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

/** Takes cache reads and writes out of the prompt tokens, in which this protocol counts them as well (P10). */
export function readOpenAiUsage(raw: RawOpenAiUsage): TokenUsage {
  const cachedTokens = count(raw.prompt_tokens_details?.cached_tokens);
  const cacheWriteTokens = count(raw.prompt_tokens_details?.cache_write_tokens);
  return {
    inputTokens: Math.max(0, count(raw.prompt_tokens) - cachedTokens - cacheWriteTokens),
    cachedTokens,
    cacheWriteTokens,
    outputTokens: count(raw.completion_tokens),
  };
}
