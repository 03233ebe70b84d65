import { createHash } from 'node:crypto';
import type { Conversation } from '../conversation/conversation.js';

/** Sixteen hex digits that are a function of model and history: the base of ids in an answer. */
export function historySeed(model: string, conversation: Conversation): string {
  const hash = createHash('sha256').update(JSON.stringify(model));
  // Entry by entry: one text of a whole history would be as large again as the request.
  for (const entry of conversation) hash.update(JSON.stringify(entry));
  return hash.digest('hex').slice(0, 16);
}
