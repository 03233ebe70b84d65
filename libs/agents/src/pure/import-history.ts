import { z } from 'zod';
import { type CallBlock, Message, type ResultBlock, type TextBlock } from '#transcripts';
import { pairingDefect } from './pairing.js';

/** A history in one of the accepted formats (spec 04 §1), as it came in. */
export const HistoryInput = z.strictObject({
  format: z.enum(['offshoot', 'openai', 'anthropic']),
  messages: z.array(z.unknown()).max(200_000),
});
export type HistoryInput = z.infer<typeof HistoryInput>;

export type ImportedHistory =
  | { readonly ok: true; readonly messages: readonly Message[] }
  | { readonly ok: false; readonly index: number; readonly message: string };

const refusal = (index: number, message: string): ImportedHistory => ({
  ok: false,
  index,
  message: `Message ${index}: ${message}`,
});

/**
 * Turns a host's history into our own form, or names the first message that cannot be taken. A history that a provider
 * would refuse is refused here: it would fail every later request (field case C19).
 */
export function importHistory(input: HistoryInput): ImportedHistory {
  const read = readers[input.format];
  const messages: Message[] = [];
  for (const [index, raw] of input.messages.entries()) {
    const taken = read(raw, messages);
    if (taken !== null) return refusal(index, taken);
  }
  const defect = pairingDefect(messages);
  return defect === null
    ? { ok: true, messages }
    : { ok: false, index: input.messages.length, message: defect };
}

/** Appends what one raw message means to the messages so far; a text says why it cannot be taken. */
type Reader = (raw: unknown, messages: Message[]) => string | null;

const ChatText = z.union([z.string(), z.array(z.looseObject({ type: z.literal('text'), text: z.string() }))]);
const ChatMessage = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('user'), content: ChatText }),
  z.looseObject({
    role: z.literal('assistant'),
    content: z.union([ChatText, z.null()]).optional(),
    tool_calls: z
      .array(
        z.looseObject({
          id: z.string(),
          function: z.looseObject({ name: z.string(), arguments: z.string() }),
        }),
      )
      .optional(),
  }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string(), content: ChatText }),
]);

const AnthropicBlock = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.union([ChatText]).optional(),
    is_error: z.boolean().optional(),
  }),
]);
const AnthropicMessage = z.looseObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string(), z.array(AnthropicBlock)]),
});

const readers: Readonly<Record<HistoryInput['format'], Reader>> = {
  offshoot: (raw, messages) => {
    const parsed = Message.safeParse(raw);
    if (!parsed.success) return issueText(parsed.error);
    messages.push(parsed.data);
    return null;
  },
  openai: (raw, messages) => {
    const parsed = ChatMessage.safeParse(raw);
    if (!parsed.success) return issueText(parsed.error);
    const message = parsed.data;
    if (message.role === 'user') messages.push({ role: 'user', blocks: textBlocks(message.content) });
    else if (message.role === 'assistant') {
      const calls = (message.tool_calls ?? []).map((call): CallBlock => ({
        type: 'call',
        id: call.id,
        name: call.function.name,
        arguments: call.function.arguments,
      }));
      messages.push({ role: 'assistant', blocks: [...textBlocks(message.content ?? ''), ...calls] });
    } else
      addResult(
        messages,
        message.tool_call_id,
        textBlocks(message.content)
          .map((block) => block.text)
          .join(''),
        false,
      );
    return null;
  },
  anthropic: (raw, messages) => {
    const parsed = AnthropicMessage.safeParse(raw);
    if (!parsed.success) return issueText(parsed.error);
    const { role, content } = parsed.data;
    const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
    return role === 'assistant' ? takeAnswer(blocks, messages) : takeTurn(blocks, messages);
  },
};

type AnthropicBlock = z.infer<typeof AnthropicBlock>;

function takeAnswer(blocks: readonly AnthropicBlock[], messages: Message[]): string | null {
  const taken: (TextBlock | CallBlock)[] = [];
  for (const block of blocks) {
    if (block.type === 'tool_result') return 'an assistant message cannot hold a tool_result block';
    if (block.type === 'tool_use')
      taken.push({ type: 'call', id: block.id, name: block.name, arguments: JSON.stringify(block.input) });
    else if (block.text !== '') taken.push({ type: 'text', text: block.text });
  }
  messages.push({ role: 'assistant', blocks: taken });
  return null;
}

function takeTurn(blocks: readonly AnthropicBlock[], messages: Message[]): string | null {
  const texts: TextBlock[] = [];
  for (const block of blocks) {
    if (block.type === 'tool_use') return 'a user message cannot hold a tool_use block';
    if (block.type === 'text') texts.push({ type: 'text', text: block.text });
    else
      addResult(
        messages,
        block.tool_use_id,
        textBlocks(block.content ?? '')
          .map((text) => text.text)
          .join(''),
        block.is_error === true,
      );
  }
  if (texts.length > 0) messages.push({ role: 'user', blocks: texts });
  return null;
}

function addResult(messages: Message[], callId: string, content: string, isError: boolean): void {
  const block: ResultBlock = { type: 'result', callId, name: nameOfCall(messages, callId), content, isError };
  const last = messages.at(-1);
  if (last?.role === 'tool')
    messages[messages.length - 1] = { role: 'tool', blocks: [...last.blocks, block] };
  else messages.push({ role: 'tool', blocks: [block] });
}

/** The name of the call that a result answers; empty when there is none, which the pairing check then reports. */
function nameOfCall(messages: readonly Message[], callId: string): string {
  const asked = messages.findLast((message) => message.role === 'assistant');
  const call =
    asked?.role === 'assistant'
      ? asked.blocks.find((block) => block.type === 'call' && block.id === callId)
      : undefined;
  return call?.type === 'call' ? call.name : '';
}

function textBlocks(content: string | readonly { text: string }[]): TextBlock[] {
  const texts = typeof content === 'string' ? [content] : content.map((part) => part.text);
  return texts.filter((text) => text !== '').map((text) => ({ type: 'text', text }));
}

const issueText = (error: z.ZodError): string =>
  error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('; ');
