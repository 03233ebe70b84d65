import { z } from 'zod';
import type { AssistantMessage, Message, TextBlock } from '#transcripts';
import { addResult, type HistoryReader, issueText, textBlocks } from './history-reader.js';

const Text = z.looseObject({ type: z.literal('text'), text: z.string() });
const Block = z.discriminatedUnion('type', [
  Text,
  z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(Text)]).optional(),
    is_error: z.boolean().optional(),
  }),
  z.looseObject({ type: z.enum(['thinking', 'redacted_thinking']) }),
]);
type Block = z.infer<typeof Block>;

const AnthropicMessage = z.looseObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string(), z.array(Block)]),
});

/** Reads one Anthropic message. Signed reasoning is kept whole as an opaque block of the model that made it. */
export const readAnthropicMessage: HistoryReader = (raw, messages, model) => {
  const parsed = AnthropicMessage.safeParse(raw);
  if (!parsed.success) return issueText(parsed.error);
  const { role, content } = parsed.data;
  const blocks: readonly Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const misplaced = blocks.find((block) => !belongs[role].has(block.type));
  if (misplaced !== undefined) return `a ${misplaced.type} block cannot stand in the message of a ${role}.`;
  if (role === 'assistant')
    messages.push({ role, blocks: blocks.flatMap((block) => answerBlock(block, model)) });
  else takeTurn(blocks, messages);
  return null;
};

const belongs: Readonly<Record<'user' | 'assistant', ReadonlySet<Block['type']>>> = {
  user: new Set(['text', 'tool_result'] as const),
  assistant: new Set(['text', 'tool_use', 'thinking', 'redacted_thinking'] as const),
};

function answerBlock(block: Block, model: string): AssistantMessage['blocks'] {
  switch (block.type) {
    case 'text':
      return textBlocks([block]);
    case 'tool_use':
      return [{ type: 'call', id: block.id, name: block.name, arguments: JSON.stringify(block.input) }];
    case 'thinking':
    case 'redacted_thinking':
      return [{ type: 'opaque', provider: makerOf(model), raw: JSON.stringify(block) }];
    case 'tool_result':
      return [];
  }
}

/** Who made the reasoning of a talk with `model`; a model of another provider made none of it, so it goes back to nobody. */
const makerOf = (model: string): string => (model.startsWith('anthropic:') ? model : 'anthropic');

/** A turn of the user: the results in it come first, as they answer the message before; its text is a message of its own. */
function takeTurn(blocks: readonly Block[], messages: Message[]): void {
  const texts: TextBlock[] = [];
  for (const block of blocks) {
    if (block.type === 'text') texts.push(...textBlocks([block]));
    if (block.type !== 'tool_result') continue;
    const content = textBlocks(block.content ?? '')
      .map((text) => text.text)
      .join('');
    addResult(messages, { callId: block.tool_use_id, content, isError: block.is_error === true });
  }
  const hasResults = blocks.some((block) => block.type === 'tool_result');
  if (texts.length > 0 || !hasResults) messages.push({ role: 'user', blocks: texts });
}
