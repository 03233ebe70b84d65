import { createHash } from 'node:crypto';
import type { Conversation } from '../conversation/conversation.js';

/** Sixteen hex digits that are a function of model and history: the base of ids in an answer. */
export function historySeed(model: string, conversation: Conversation): string {
  return createHash('sha256')
    .update(JSON.stringify([model, conversation]))
    .digest('hex')
    .slice(0, 16);
}
