import { checkPairing } from '../conversation/check-pairing.js';
import { readJsonBody } from '../json/read-json-body.js';
import { checkTools } from '../protocol/check-tools.js';
import type { ModelCall } from '../protocol/model-call.js';
import { shapeRefusal } from '../protocol/shape-refusal.js';
import { accepted, firstRefusal, refused, type Checked } from '../refusal.js';
import { unknownArgument } from './known-arguments.js';
import { checkReasoning } from './reasoning-details.js';
import { chatRequestSchema, type ChatRequest } from './request-schema.js';
import { toConversation } from './to-conversation.js';

function readShape(body: Uint8Array): Checked<ChatRequest> {
  const json = readJsonBody(body);
  if (!json.ok) return json;
  const parsed = chatRequestSchema.safeParse(json.value);
  if (!parsed.success) return shapeRefusal(parsed.error);
  const unknown = unknownArgument(parsed.data);
  if (unknown !== null)
    return refused(`Unrecognized request argument supplied: ${unknown}`, unknown, 'unknown_parameter');
  return accepted(parsed.data);
}

function checkSettings(request: ChatRequest): Checked<null> {
  const streaming = request.stream === true;
  if (!streaming && request.stream_options !== undefined && request.stream_options !== null) {
    return refused(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'stream_options',
    );
  }
  return accepted(null);
}

function toolsOf(request: ChatRequest): Checked<readonly string[]> {
  return checkTools(
    (request.tools ?? []).map(({ function: tool }, index) => ({
      name: tool.name,
      schema: tool.parameters ?? null,
      path: `tools[${index}].function`,
    })),
  );
}

function settingsOf(request: ChatRequest) {
  return {
    model: request.model,
    stream: request.stream === true,
    includeUsage: request.stream_options?.include_usage === true,
    maxOutputTokens: request.max_completion_tokens ?? request.max_tokens ?? null,
  };
}

/** Bytes of a chat request → a call that a real provider would take, or the reason why it would not. */
export function readChatRequest(body: Uint8Array): Checked<ModelCall> {
  const shape = readShape(body);
  if (!shape.ok) return shape;
  const request = shape.value;
  const conversation = toConversation(request.messages);
  if (!conversation.ok) return conversation;
  const tools = toolsOf(request);
  if (!tools.ok) return tools;
  const refusal = firstRefusal([
    checkSettings(request),
    checkPairing(conversation.value),
    checkReasoning(request.model, request.messages),
  ]);
  if (refusal !== null) return { ok: false, refusal };
  return accepted({
    ...settingsOf(request),
    cacheableBytes: null,
    conversation: conversation.value,
    toolNames: tools.value,
  });
}
