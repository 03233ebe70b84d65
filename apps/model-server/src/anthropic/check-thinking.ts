import { isIntact } from '../reasoning/sealed-reasoning.js';
import { accepted, refused, type Checked } from '../refusal.js';
import type { MessagesRequest } from './request-schema.js';

/** Thinking blocks come back as they were issued, all of one answer and to the same model, or not at all. */
export function checkThinking(request: MessagesRequest): Checked<null> {
  for (const [index, message] of request.messages.entries()) {
    if (message.role !== 'assistant' || typeof message.content === 'string') continue;
    const blocks = message.content
      .filter((block) => block.type === 'thinking')
      .map(({ thinking, signature }) => ({ text: thinking, seal: signature }));
    if (isIntact(request.model, blocks)) continue;
    const path = `messages[${index}]`;
    return refused(
      `${path}: invalid signature in thinking block; blocks cannot be modified.`,
      path,
      'invalid_reasoning',
    );
  }
  return accepted(null);
}
