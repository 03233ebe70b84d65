import type { Answer, AnswerCall, FinishReason, Usage } from '../protocol/answer.js';
import type { Reply } from '../protocol/protocol.js';
import { sealReasoning } from '../reasoning/sealed-reasoning.js';

/** Why an answer ended, in Anthropic's words. */
export function stopReason(reason: FinishReason): string {
  switch (reason) {
    case 'stop':
      return 'end_turn';
    case 'length':
      return 'max_tokens';
    case 'tool_calls':
      return 'tool_use';
    case 'content_filter':
      return 'refusal';
  }
}

/** Usage in Anthropic's words: `input_tokens` is what neither came from the cache nor went into it. */
export function renderUsage(usage: Usage) {
  return {
    input_tokens: Math.max(0, usage.prompt - usage.cacheRead - usage.cacheWrite),
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite,
    output_tokens: usage.completion,
  };
}

/** What the message object carries besides its content. */
export function envelope(reply: Reply) {
  return { id: `msg_${reply.id}`, type: 'message', role: 'assistant', model: reply.call.model };
}

function inputOf(call: AnswerCall): unknown {
  try {
    return JSON.parse(call.arguments) as unknown;
  } catch {
    // A whole message cannot hold arguments that are not JSON; the text stays visible instead of vanishing.
    return { INVALID_JSON: call.arguments };
  }
}

function contentOf(model: string, answer: Answer): readonly object[] {
  return [
    ...sealReasoning(model, answer.reasoning).map(({ text, seal }) => ({
      type: 'thinking',
      thinking: text,
      signature: seal,
    })),
    ...(answer.text === '' ? [] : [{ type: 'text', text: answer.text }]),
    ...answer.calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: inputOf(call) })),
  ];
}

/** A whole answer as one message. */
export function renderMessage(reply: Reply) {
  return {
    ...envelope(reply),
    content: contentOf(reply.call.model, reply.answer),
    stop_reason: stopReason(reply.answer.finishReason),
    stop_sequence: null,
    usage: renderUsage(reply.usage),
  };
}
