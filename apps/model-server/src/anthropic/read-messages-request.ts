import { checkPairing } from '../conversation/check-pairing.js';
import { readJsonBody } from '../json/read-json-body.js';
import { checkTools } from '../protocol/check-tools.js';
import type { ModelCall } from '../protocol/model-call.js';
import { shapeRefusal } from '../protocol/shape-refusal.js';
import { accepted, firstRefusal, refused, type Checked } from '../refusal.js';
import { readCacheMarks } from './cache-marks.js';
import { checkThinking } from './check-thinking.js';
import { messagesRequestSchema, type MessagesRequest } from './request-schema.js';
import { toConversation } from './to-conversation.js';

function readShape(body: Uint8Array): Checked<MessagesRequest> {
  const json = readJsonBody(body);
  if (!json.ok) return json;
  const parsed = messagesRequestSchema.safeParse(json.value);
  return parsed.success ? accepted(parsed.data) : shapeRefusal(parsed.error);
}

function toolsOf(request: MessagesRequest): Checked<readonly string[]> {
  return checkTools(
    (request.tools ?? []).map((tool, index) => ({
      name: tool.name,
      schema: tool.input_schema ?? {},
      path: `tools[${index}]`,
    })),
  );
}

/** Bytes and headers of a Messages request → a call that a real provider would take, or why it would not. */
export function readMessagesRequest(
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Checked<ModelCall> {
  if (headers['anthropic-version'] === undefined) return refused('anthropic-version: header is required');
  const shape = readShape(body);
  if (!shape.ok) return shape;
  const request = shape.value;
  const conversation = toConversation(request);
  if (!conversation.ok) return conversation;
  const tools = toolsOf(request);
  if (!tools.ok) return tools;
  const marks = readCacheMarks(request, body);
  if (!marks.ok) return marks;
  const refusal = firstRefusal([checkPairing(conversation.value), checkThinking(request)]);
  if (refusal !== null) return { ok: false, refusal };
  return accepted({
    model: request.model,
    stream: request.stream === true,
    includeUsage: true,
    maxOutputTokens: request.max_tokens,
    cacheableBytes: marks.value,
    conversation: conversation.value,
    toolNames: tools.value,
  });
}
