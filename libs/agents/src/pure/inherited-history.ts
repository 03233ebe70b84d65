import type { AssistantMessage, Message, ResultBlock } from '#transcripts';
import type { History, Inherited } from './history-builder.js';

/** What every open call of an inherited batch is answered with: the same bytes for every sibling (spec 03 §3). */
export const openCallPlaceholder =
  'This call was still open when this copy of the conversation was made. Its result belongs to the parent.';

/**
 * The prefix that a fork inherits from its parent: the messages as they are, cut to the last `turns` real user
 * turns; an open batch keeps its message with the arguments of every call emptied and one placeholder result a
 * call, so that siblings share it and no sibling's directive leaks. A signed block in that message is dropped
 * whole, since it vouches for arguments that are gone.
 */
export function inheritedHistory(parent: History, turns: 'all' | number): Inherited {
  const { openBatch } = parent;
  const messages =
    openBatch === null
      ? parent.messages
      : [...parent.messages.slice(0, -1), emptied(openBatch.message), placeholders(openBatch.message)];
  const start = turns === 'all' ? 0 : startOfTurn(messages, turns);
  const lengths = [...parent.inheritedLengths, messages.length].map((length) => length - start);
  return { messages: messages.slice(start), inheritedLengths: lengths.filter((length) => length > 0) };
}

/** Index of the N-th last real user turn, 0 when there are fewer. */
function startOfTurn(messages: readonly Message[], turns: number): number {
  let seen = 0;
  for (let index = messages.length - 1; index >= 0; index--) {
    if (isRealUserTurn(messages[index]) && ++seen === turns) return index;
  }
  return 0;
}

/** A user message with something other than tool results and system reminders. */
export function isRealUserTurn(message: Message | undefined): boolean {
  return (
    message?.role === 'user' && message.blocks.some((block) => outsideReminders(block.text).trim() !== '')
  );
}

const opening = '<system-reminder>';
const closing = '</system-reminder>';

/** The text without its system reminders; one that is never closed is ordinary text. Linear, whatever the text holds. */
function outsideReminders(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let start = text.indexOf(opening); start !== -1; start = text.indexOf(opening, from)) {
    const end = text.indexOf(closing, start);
    if (end === -1) break;
    kept.push(text.slice(from, start));
    from = end + closing.length;
  }
  return kept.join('') + text.slice(from);
}

function emptied(message: AssistantMessage): AssistantMessage {
  const blocks = message.blocks
    .filter((block) => block.type !== 'opaque')
    .map((block) =>
      block.type === 'call'
        ? { type: 'call' as const, id: block.id, name: block.name, arguments: '{}' }
        : block,
    );
  return { role: 'assistant', blocks };
}

function placeholders(message: AssistantMessage): Message {
  const blocks = message.blocks
    .filter((block) => block.type === 'call')
    .map((call): ResultBlock => ({
      type: 'result',
      callId: call.id,
      name: call.name,
      content: openCallPlaceholder,
      isError: false,
    }));
  return { role: 'tool', blocks };
}
