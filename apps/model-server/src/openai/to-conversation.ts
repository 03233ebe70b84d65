import type { Conversation, ConversationEntry } from '../conversation/conversation.js';
import { isBlank } from '../protocol/is-blank.js';
import { accepted, refused, type Checked } from '../refusal.js';
import type { ChatMessage } from './request-schema.js';

type Content = Exclude<ChatMessage['content'], null | undefined>;
type Assistant = Extract<ChatMessage, { role: 'assistant' }>;

function partsOf(content: Content): readonly string[] {
  if (typeof content === 'string') return [content];
  return content.map((part) => {
    if (part.type === 'text') return part.text;
    return part.type === 'refusal' ? part.refusal : `[${part.type}]`;
  });
}

function textOf(content: Content, path: string): Checked<string> {
  const parts = partsOf(content);
  const blank = parts.findIndex(isBlank);
  if (blank === -1) return accepted(parts.join('\n'));
  const where = typeof content === 'string' ? `${path}.content` : `${path}.content[${blank}]`;
  return refused(`${where}: text content must not be empty.`, where, 'empty_content');
}

function assistantEntry(message: Assistant, path: string): Checked<ConversationEntry> {
  const content = message.content ?? message.refusal ?? null;
  const calls = (message.tool_calls ?? []).map(({ id, function: called }) => ({
    id,
    name: called.name,
    arguments: called.arguments,
  }));
  if (content === null && calls.length === 0) {
    return refused(`${path}: an assistant message needs content or tool calls.`, path, 'empty_content');
  }
  const text = content === null ? accepted('') : textOf(content, path);
  return text.ok ? accepted({ role: 'assistant', text: text.value, calls, path }) : text;
}

function toEntry(message: ChatMessage, path: string): Checked<ConversationEntry> {
  if (message.role === 'assistant') return assistantEntry(message, path);
  const text = textOf(message.content, path);
  if (!text.ok) return text;
  switch (message.role) {
    case 'system':
    case 'developer':
      return accepted({ role: 'system', text: text.value, path });
    case 'user':
      return accepted({ role: 'user', text: text.value, path });
    case 'tool':
      return accepted({ role: 'tool', callId: message.tool_call_id, text: text.value, path });
  }
}

/** Chat messages → neutral history. Refuses blank texts and assistant messages that say nothing. */
export function toConversation(messages: readonly ChatMessage[]): Checked<Conversation> {
  const entries: ConversationEntry[] = [];
  for (const [index, message] of messages.entries()) {
    const entry = toEntry(message, `messages[${index}]`);
    if (!entry.ok) return entry;
    entries.push(entry.value);
  }
  return accepted(entries);
}
