import type { CallBlock, Message } from '#transcripts';

/**
 * The first place where calls and results do not pair up, in words, or null. Every call needs exactly one result in the
 * message right behind it, in any order; a result without its call, an answer to nothing, and an empty user message are defects.
 */
export function pairingDefect(messages: readonly Message[]): string | null {
  for (const [index, message] of messages.entries()) {
    const defect = defectAt(message, messages[index - 1], messages[index + 1]);
    if (defect !== null) return `Message ${index}: ${defect}`;
  }
  return null;
}

function defectAt(message: Message, before: Message | undefined, after: Message | undefined): string | null {
  if (message.role === 'user')
    return message.blocks.every((block) => block.text === '') ? 'a user message needs text.' : null;
  if (message.role === 'assistant') {
    return callsOf(message).length > 0 && after?.role !== 'tool'
      ? 'its tool calls are not followed by their results.'
      : null;
  }
  const calls = callsOf(before).map((call) => call.id);
  const results = message.blocks.map((block) => block.callId);
  const orphan = results.find((id) => !calls.includes(id));
  if (orphan !== undefined) return `the result of call "${orphan}" has no call in the message before it.`;
  const missing = calls.find((id) => !results.includes(id));
  if (missing !== undefined) return `the call "${missing}" has no result.`;
  return results.length === calls.length ? null : 'a call has more than one result.';
}

function callsOf(message: Message | undefined): readonly CallBlock[] {
  return message?.role === 'assistant' ? message.blocks.filter((block) => block.type === 'call') : [];
}
