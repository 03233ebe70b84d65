import type { Usage } from '../protocol/answer.js';

/** Usage in OpenAI's words. `prompt_tokens` includes what was read from the cache. */
export function renderUsage(usage: Usage) {
  return {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    total_tokens: usage.prompt + usage.completion,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}
