import type { OpaqueBlock } from '#transcripts';

import { membersText } from './request-settings.js';
import { wellFormedJson } from './well-formed.js';

/** Message members that endpoints of this protocol want back as they sent them. Anything else of a message is ours. */
export type OpaqueField = 'reasoning_details' | 'reasoning_content';

const FIELDS: ReadonlySet<string> = new Set<OpaqueField>(['reasoning_details', 'reasoning_content']);

/** Marks opaque blocks that only this model, over this protocol, may get back. */
export function openAiOpaqueProvider(model: string): string {
  return `openai:${model}`;
}

function replayableKeys(raw: string): readonly string[] | null {
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value !== 'object' || value === null || wellFormedJson(raw) !== raw) return null;
    const keys = Object.keys(value);
    return keys.length > 0 && keys.every((key) => FIELDS.has(key)) ? keys : null;
  } catch {
    return null;
  }
}

/**
 * The members that the opaque blocks of one assistant message add to it, byte for byte. A block of another provider or
 * model, one that could not be sent unchanged, and a second one with the same member are dropped whole (L21).
 */
export function opaqueMembers(blocks: readonly OpaqueBlock[], provider: string): readonly string[] {
  const taken = new Set<string>();
  const members: string[] = [];
  for (const block of blocks) {
    const keys = block.provider === provider ? replayableKeys(block.raw) : null;
    if (keys === null || keys.some((key) => taken.has(key))) continue;
    for (const key of keys) taken.add(key);
    members.push(membersText(block.raw));
  }
  return members;
}
