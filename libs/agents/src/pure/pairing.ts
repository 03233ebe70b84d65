import type { CallBlock, Message, ToolMessage } from '#transcripts';

/** The first message that does not pair up: its index, and what is wrong in words. */
export interface PairingDefect {
  readonly index: number;
  readonly message: string;
}

/**
 * The first place where calls and results do not pair up, or null. Every call needs exactly one result in the message
 * right behind it, in any order; a result without its call, an answer to nothing, and an empty user message are defects.
 */
export function pairingDefect(messages: readonly Message[]): PairingDefect | null {
  for (const [index, message] of messages.entries()) {
    const defect = defectAt(message, messages[index - 1], messages[index + 1]);
    if (defect !== null) return { index, message: defect };
  }
  return null;
}

function defectAt(message: Message, before: Message | undefined, after: Message | undefined): string | null {
  switch (message.role) {
    case 'user':
      return message.blocks.every((block) => block.text === '') ? 'a user message needs text.' : null;
    case 'assistant':
      return callsOf(message).length > 0 && after?.role !== 'tool'
        ? 'its tool calls are not followed by their results.'
        : null;
    case 'tool':
      return answersDefect(message, callsOf(before));
  }
}

function answersDefect(message: ToolMessage, calls: readonly CallBlock[]): string | null {
  if (message.blocks.length === 0) return 'it holds no result.';
  // Counted, not looked up: a provider may use one id twice in a turn (field case L03).
  const open = new Map<string, number>();
  for (const { id } of calls) open.set(id, (open.get(id) ?? 0) + 1);
  for (const { callId } of message.blocks) {
    const waiting = open.get(callId);
    if (waiting === undefined) return `the result of call "${callId}" has no call in the message before it.`;
    if (waiting === 0) return `the call "${callId}" has more than one result.`;
    open.set(callId, waiting - 1);
  }
  const missing = [...open].find(([, waiting]) => waiting > 0);
  return missing === undefined ? null : `the call "${missing[0]}" has no result.`;
}

function callsOf(message: Message | undefined): readonly CallBlock[] {
  return message?.role === 'assistant' ? message.blocks.filter((block) => block.type === 'call') : [];
}
