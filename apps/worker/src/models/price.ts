import type { TokenUsage } from './model.js';

/** US dollars for a million tokens of each kind. */
export interface ModelPrice {
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** By model spec (`openai:gpt-5`), from configuration. A map: a model may be called `constructor` (T09). */
export type PriceTable = ReadonlyMap<string, ModelPrice>;

/** The cost of a usage in millionths of a US dollar; null for a model without a price, which is not free but unknown. */
export function price(usage: TokenUsage, modelSpec: string, table: PriceTable): number | null {
  const perMillion = table.get(modelSpec);
  if (perMillion === undefined) return null;
  // A dollar a million tokens is a millionth of a dollar a token.
  return (
    usage.inputTokens * perMillion.input +
    usage.cachedTokens * perMillion.cached +
    usage.cacheWriteTokens * perMillion.cacheWrite +
    usage.outputTokens * perMillion.output
  );
}
