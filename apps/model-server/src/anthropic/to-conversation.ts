import type { Conversation, ConversationEntry } from '../conversation/conversation.js';
import { isBlank } from '../protocol/is-blank.js';
import { accepted, refused, type Checked } from '../refusal.js';
import type { AssistantBlock, MessagesRequest, UserBlock } from './request-schema.js';

type ResultContent = Extract<UserBlock, { type: 'tool_result' }>['content'];
type TextBlock = Extract<UserBlock, { type: 'text' }>;

function blankAt(path: string): Checked<never> {
  return refused(`${path}: text content blocks must contain non-whitespace text.`, path, 'empty_content');
}

function textOf(content: ResultContent, path: string): Checked<string> {
  const parts =
    typeof content === 'string'
      ? [content]
      : content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`));
  return parts.some(isBlank) ? blankAt(path) : accepted(parts.join('\n'));
}

function userEntry(block: UserBlock, path: string): Checked<ConversationEntry> {
  if (block.type === 'tool_result') {
    const text = textOf(block.content, path);
    return text.ok ? accepted({ role: 'tool', callId: block.tool_use_id, text: text.value, path }) : text;
  }
  if (block.type !== 'text') return accepted({ role: 'user', text: `[${block.type}]`, path });
  return isBlank(block.text) ? blankAt(path) : accepted({ role: 'user', text: block.text, path });
}

/** Texts and pictures that stand together are one user entry; each tool result is one of its own. */
function joinUsers(entries: readonly ConversationEntry[]): readonly ConversationEntry[] {
  const joined: ConversationEntry[] = [];
  for (const entry of entries) {
    const last = joined.at(-1);
    if (entry.role === 'user' && last?.role === 'user')
      joined[joined.length - 1] = { ...last, text: `${last.text}\n${entry.text}` };
    else joined.push(entry);
  }
  return joined;
}

function userEntries(
  content: string | readonly UserBlock[],
  path: string,
): Checked<readonly ConversationEntry[]> {
  const blocks: readonly UserBlock[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const entries: ConversationEntry[] = [];
  for (const [index, block] of blocks.entries()) {
    const entry = userEntry(block, `${path}.content[${index}]`);
    if (!entry.ok) return entry;
    entries.push(entry.value);
  }
  return accepted(joinUsers(entries));
}

function assistantEntries(
  content: string | readonly AssistantBlock[],
  path: string,
): Checked<readonly ConversationEntry[]> {
  const blocks: readonly AssistantBlock[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const texts = blocks
    .filter((block): block is TextBlock => block.type === 'text')
    .map((block) => block.text);
  if (texts.some(isBlank)) return blankAt(path);
  const calls = blocks
    .filter((block) => block.type === 'tool_use')
    .map(({ id, name, input }) => ({ id, name, arguments: JSON.stringify(input) }));
  return accepted([{ role: 'assistant', text: texts.join('\n'), calls, path }]);
}

function systemEntries(system: MessagesRequest['system']): Checked<readonly ConversationEntry[]> {
  if (system === undefined) return accepted([]);
  const text = textOf(system, 'system');
  return text.ok ? accepted([{ role: 'system', text: text.value, path: 'system' }]) : text;
}

/** Messages → neutral history, system text first. Refuses blank texts. */
export function toConversation(request: MessagesRequest): Checked<Conversation> {
  const system = systemEntries(request.system);
  if (!system.ok) return system;
  const entries = [...system.value];
  for (const [index, message] of request.messages.entries()) {
    const path = `messages[${index}]`;
    const made =
      message.role === 'user' ? userEntries(message.content, path) : assistantEntries(message.content, path);
    if (!made.ok) return made;
    entries.push(...made.value);
  }
  return accepted(entries);
}
