import type { z } from 'zod';
import type { CallBlock, Message, ResultBlock, TextBlock } from '#transcripts';

/** Appends what one raw message, of a talk with `model`, means to the messages so far; a text says why it cannot be taken. */
export type HistoryReader = (raw: unknown, messages: Message[], model: string) => string | null;

/** Text as providers write it: a string, or a list of text parts. */
export type RawText = string | readonly { readonly text: string }[];

/** The text blocks of a content; empty ones are left out (field case L11). */
export function textBlocks(content: RawText): TextBlock[] {
  const texts = typeof content === 'string' ? [content] : content.map((part) => part.text);
  return texts.filter((text) => text !== '').map((text) => ({ type: 'text', text }));
}

/** Appends one result to the batch that the messages end with. */
export function addResult(messages: Message[], result: Omit<ResultBlock, 'type' | 'name'>): void {
  const last = messages.at(-1);
  const blocks = last?.role === 'tool' ? last.blocks : [];
  const sameId = blocks.filter((block) => block.callId === result.callId).length;
  const block: ResultBlock = { type: 'result', ...result, name: nameOfCall(messages, result.callId, sameId) };
  if (last?.role === 'tool') messages[messages.length - 1] = { role: 'tool', blocks: [...blocks, block] };
  else messages.push({ role: 'tool', blocks: [block] });
}

/**
 * The name of the call that a result answers: the `nth` of its id, which a turn may use twice (field case L03). Empty
 * when there is none, which the pairing check then reports.
 */
function nameOfCall(messages: readonly Message[], callId: string, nth: number): string {
  const asked = messages.findLast((message) => message.role === 'assistant');
  const calls = asked?.blocks.filter((block): block is CallBlock => block.type === 'call') ?? [];
  return calls.filter((call) => call.id === callId)[nth]?.name ?? '';
}

/** What a schema found wrong, on one line. */
export const issueText = (error: z.ZodError): string =>
  error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('; ');
