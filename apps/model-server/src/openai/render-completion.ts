import type { Answer } from '../protocol/answer.js';
import type { Reply } from '../protocol/protocol.js';
import { reasoningDetails } from './reasoning-details.js';
import { renderUsage } from './render-usage.js';

/** What every completion and chunk carries besides its choices. */
export function envelope(reply: Reply, object: 'chat.completion' | 'chat.completion.chunk') {
  return {
    id: `chatcmpl-${reply.id}`,
    object,
    created: reply.createdAt,
    model: reply.call.model,
    system_fingerprint: 'scripted',
  };
}

function messageOf(model: string, answer: Answer) {
  return {
    role: 'assistant',
    content: answer.text === '' && answer.calls.length > 0 ? null : answer.text,
    refusal: null,
    ...(answer.reasoning.length > 0 && { reasoning_details: reasoningDetails(model, answer.reasoning) }),
    ...(answer.calls.length > 0 && {
      tool_calls: answer.calls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      })),
    }),
  };
}

/** A whole answer as one `chat.completion`. */
export function renderCompletion(reply: Reply) {
  const { call, answer } = reply;
  return {
    ...envelope(reply, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: messageOf(call.model, answer),
        logprobs: null,
        finish_reason: answer.finishReason,
      },
    ],
    usage: renderUsage(reply.usage),
  };
}
