import type { OpaqueBlock } from '#transcripts';

import { wellFormedJson } from '../well-formed.js';

/** Marks reasoning blocks that only this model, over this protocol, may get back. */
export function anthropicOpaqueProvider(model: string): string {
  return `anthropic:${model}`;
}

const REASONING: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

function isReasoning(raw: string): boolean {
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === 'object' && value !== null && 'type' in value && REASONING.has(value.type);
  } catch {
    return false;
  }
}

/**
 * Whether the reasoning blocks of one message may go back: all of them as they came and to the model that made them, or none
 * (L21). A signature vouches for its text and for how many blocks there were, so that one bad block spoils the rest.
 */
export function mayReplay(blocks: readonly OpaqueBlock[], provider: string): boolean {
  return blocks.every(
    ({ provider: from, raw }) => from === provider && wellFormedJson(raw) === raw && isReasoning(raw),
  );
}
