import { z } from 'zod';

/**
 * A conversation message in Offshoot's own form: provider-neutral, but everything a provider must get back
 * unchanged is kept as the text that it sent (spec 03 §3, 04 §2). Renderers turn it into a provider's bytes.
 */
const TextBlock = z.strictObject({ type: z.literal('text'), text: z.string() });

/** A tool call of the model. `arguments` is the text that was streamed, never parsed and re-serialised. */
const CallBlock = z.strictObject({
  type: z.literal('call'),
  /** The provider's id: unique only within a turn, if at all. */
  id: z.string(),
  /** The wire name, as the model wrote it. */
  name: z.string(),
  arguments: z.string(),
  /** Present when the stream ended before the call did: it is answered, never executed. */
  truncated: z.literal(true).exactOptional(),
});

/** The answer to one call. `content` is what the model is shown, already capped. */
const ResultBlock = z.strictObject({
  type: z.literal('result'),
  callId: z.string(),
  name: z.string(),
  content: z.string(),
  isError: z.boolean(),
});

/** A provider's own block (signed reasoning and the like) as JSON text: replayed verbatim or dropped whole. */
const OpaqueBlock = z.strictObject({ type: z.literal('opaque'), provider: z.string(), raw: z.string() });

/** `user` holds text; `assistant` text, calls and opaque blocks in the model's order; `tool` the results of one batch, in the order of its calls. */
export const Message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), blocks: z.array(TextBlock) }),
  z.strictObject({
    role: z.literal('assistant'),
    blocks: z.array(z.discriminatedUnion('type', [TextBlock, CallBlock, OpaqueBlock])),
  }),
  z.strictObject({ role: z.literal('tool'), blocks: z.array(ResultBlock) }),
]);

export type TextBlock = z.infer<typeof TextBlock>;
export type CallBlock = z.infer<typeof CallBlock>;
export type ResultBlock = z.infer<typeof ResultBlock>;
export type OpaqueBlock = z.infer<typeof OpaqueBlock>;
export type Message = z.infer<typeof Message>;
export type UserMessage = Extract<Message, { role: 'user' }>;
export type AssistantMessage = Extract<Message, { role: 'assistant' }>;
export type ToolMessage = Extract<Message, { role: 'tool' }>;

/** The text of a message, without calls, results and opaque blocks. */
export function textOfMessage(message: Message): string {
  return message.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
