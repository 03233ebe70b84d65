import { accepted, refused, type Checked } from '../refusal.js';
import type { Conversation, ConversationEntry } from './conversation.js';

interface Walk {
  readonly seen: Set<string>;
  readonly open: Set<string>;
  openedAt: string;
}
const fine = accepted(null);

function list(ids: Iterable<string>): string {
  return [...ids].map((id) => `'${id}'`).join(', ');
}

function openCalls(entry: Extract<ConversationEntry, { role: 'assistant' }>, walk: Walk): Checked<null> {
  walk.openedAt = entry.path;
  for (const { id } of entry.calls) {
    if (walk.seen.has(id)) {
      return refused(
        `${entry.path}: tool call id '${id}' was used before in this request; ids must be unique.`,
        entry.path,
      );
    }
    walk.seen.add(id);
    walk.open.add(id);
  }
  return fine;
}

function closeCall(entry: Extract<ConversationEntry, { role: 'tool' }>, walk: Walk): Checked<null> {
  if (walk.open.delete(entry.callId)) return fine;
  const why = walk.seen.has(entry.callId)
    ? 'was answered before, or does not belong to the assistant message just before it'
    : 'answers no tool call of the preceding assistant message';
  return refused(`${entry.path}: tool result for '${entry.callId}' ${why}.`, entry.path);
}

function step(entry: ConversationEntry, walk: Walk): Checked<null> {
  if (entry.role === 'tool') return closeCall(entry, walk);
  if (walk.open.size > 0) return unanswered(walk);
  return entry.role === 'assistant' ? openCalls(entry, walk) : fine;
}

function unanswered(walk: Walk): Checked<null> {
  return refused(
    `${walk.openedAt}: an assistant message with tool calls must be followed at once by one result for each call; missing: ${list(walk.open)}.`,
    walk.openedAt,
  );
}

/**
 * The pairing rules of every provider: call ids unique in the request, each call answered exactly once by the
 * entries right after its message, no result without its call, and the first entry that is not a system text
 * from the user.
 */
export function checkPairing(conversation: Conversation): Checked<null> {
  const first = conversation.find((entry) => entry.role !== 'system');
  if (first === undefined) return refused('messages: at least one user message is required.', 'messages');
  if (first.role === 'assistant') {
    return refused(
      `${first.path}: the first message after the system text must have the role 'user'.`,
      first.path,
    );
  }
  const walk: Walk = { seen: new Set(), open: new Set(), openedAt: '' };
  for (const entry of conversation) {
    const checked = step(entry, walk);
    if (!checked.ok) return checked;
  }
  return walk.open.size > 0 ? unanswered(walk) : fine;
}
