import { z } from 'zod';

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const userPart = z.discriminatedUnion('type', [
  textPart,
  z.looseObject({ type: z.literal('image_url'), image_url: z.looseObject({ url: z.string().min(1) }) }),
  z.looseObject({ type: z.literal('input_audio'), input_audio: z.looseObject({ data: z.string().min(1) }) }),
  z.looseObject({ type: z.literal('file'), file: z.looseObject({}) }),
]);
const assistantPart = z.discriminatedUnion('type', [
  textPart,
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
]);

function contentOf<T extends z.ZodType>(part: T) {
  return z.union([z.string(), z.array(part).min(1)], {
    error: 'expected a text or a non-empty list of parts',
  });
}

const toolCall = z.looseObject({
  id: z.string().min(1).max(40),
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    arguments: z.string('expected the text of the arguments'),
  }),
});

const system = { content: contentOf(textPart) };
const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), ...system }),
  z.looseObject({ role: z.literal('developer'), ...system }),
  z.looseObject({ role: z.literal('user'), content: contentOf(userPart) }),
  z.looseObject({
    role: z.literal('assistant'),
    content: contentOf(assistantPart).nullable().exactOptional(),
    refusal: z.string().nullable().exactOptional(),
    tool_calls: z.array(toolCall).min(1).exactOptional(),
    reasoning_details: z.array(z.unknown()).exactOptional(),
  }),
  z.looseObject({ role: z.literal('tool'), content: contentOf(textPart), tool_call_id: z.string().min(1) }),
]);

const tool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string(),
    description: z.string().exactOptional(),
    parameters: z.unknown().exactOptional(),
  }),
});

const cap = z.int().min(1).nullable().exactOptional();

/** The parts of a chat request that are judged here; sampling settings pass unread. */
export const chatRequestSchema = z.looseObject({
  model: z.string('you must provide a model').min(1, 'you must provide a model'),
  messages: z.array(message).min(1),
  tools: z.array(tool).min(1).exactOptional(),
  stream: z.boolean().nullable().exactOptional(),
  stream_options: z.looseObject({ include_usage: z.boolean().exactOptional() }).nullable().exactOptional(),
  max_tokens: cap,
  max_completion_tokens: cap,
  n: z.literal(1, 'only one choice is played').nullable().exactOptional(),
});

export type ChatRequest = z.infer<typeof chatRequestSchema>;
export type ChatMessage = ChatRequest['messages'][number];
