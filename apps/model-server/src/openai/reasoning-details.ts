import { sealReasoning } from '../reasoning/sealed-reasoning.js';
import { accepted, refused, type Checked } from '../refusal.js';
import type { ChatMessage } from './request-schema.js';

const format = 'scripted-v1';

/** A reasoning block as it goes over the wire, in the shape that OpenRouter and its kin use. */
export interface ReasoningDetail {
  readonly type: 'reasoning.text';
  readonly text: string;
  readonly signature: string;
  readonly format: typeof format;
  readonly index: number;
}

/** The blocks of one answer. */
export function reasoningDetails(model: string, texts: readonly string[]): readonly ReasoningDetail[] {
  return sealReasoning(model, texts).map(({ text, seal }, index) => ({
    type: 'reasoning.text',
    text,
    signature: seal,
    format,
    index,
  }));
}

function textOf(detail: unknown): string | null {
  if (typeof detail !== 'object' || detail === null) return null;
  return 'text' in detail && typeof detail.text === 'string' ? detail.text : null;
}

function isUnchanged(model: string, details: readonly unknown[]): boolean {
  const texts = details.map(textOf);
  if (!texts.every((text) => text !== null)) return false;
  return JSON.stringify(details) === JSON.stringify(reasoningDetails(model, texts));
}

/** Blocks come back as they were issued (same keys, same order, all of them, same model) or not at all. */
export function checkReasoning(model: string, messages: readonly ChatMessage[]): Checked<null> {
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant' || message.reasoning_details === undefined) continue;
    if (isUnchanged(model, message.reasoning_details)) continue;
    const path = `messages[${index}].reasoning_details`;
    return refused(
      `${path}: reasoning blocks must come back to the model that issued them unchanged and complete, or not at all.`,
      path,
      'invalid_reasoning',
    );
  }
  return accepted(null);
}
