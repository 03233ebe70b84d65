import { z } from 'zod';

const cacheControl = {
  cache_control: z
    .looseObject({ type: z.literal('ephemeral') })
    .nullable()
    .exactOptional(),
};
const textBlock = z.looseObject({ type: z.literal('text'), text: z.string(), ...cacheControl });
const media = z.looseObject({
  type: z.enum(['image', 'document']),
  source: z.looseObject({}),
  ...cacheControl,
});
const resultPart = z.discriminatedUnion('type', [textBlock, media]);
const listOrText = <T extends z.ZodType>(part: T) =>
  z.union([z.string(), z.array(part).min(1)], { error: 'expected a text or a non-empty list of blocks' });

const toolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().regex(/^[A-Za-z0-9_-]+$/),
  content: listOrText(resultPart),
  is_error: z.boolean().exactOptional(),
  ...cacheControl,
});
const toolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string().regex(/^[A-Za-z0-9_-]+$/),
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  input: z.looseObject({}),
  ...cacheControl,
});
const thinking = z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() });

const userBlock = z.discriminatedUnion('type', [textBlock, media, toolResult]);
const assistantBlock = z.discriminatedUnion('type', [textBlock, toolUse, thinking]);

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), content: listOrText(userBlock) }),
  z.strictObject({ role: z.literal('assistant'), content: listOrText(assistantBlock) }),
]);

const tool = z.looseObject({
  name: z.string(),
  description: z.string().exactOptional(),
  input_schema: z.unknown(),
  ...cacheControl,
});

/** The parts of a Messages request that are judged here; sampling settings pass unread. */
export const messagesRequestSchema = z.looseObject({
  model: z.string('field required').min(1, 'field required'),
  max_tokens: z.int('field required').min(1),
  messages: z.array(message).min(1),
  system: listOrText(textBlock).exactOptional(),
  tools: z.array(tool).exactOptional(),
  stream: z.boolean().exactOptional(),
});

export type MessagesRequest = z.infer<typeof messagesRequestSchema>;
export type UserBlock = z.infer<typeof userBlock>;
export type AssistantBlock = z.infer<typeof assistantBlock>;
