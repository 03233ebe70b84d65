import type { AnswerCall } from '../protocol/answer.js';
import type { Frame, Reply } from '../protocol/protocol.js';
import { splitText } from '../protocol/split-text.js';
import { reasoningDetails } from './reasoning-details.js';
import { envelope } from './render-completion.js';
import { renderUsage } from './render-usage.js';

function event(part: Frame['part'], value: unknown): Frame {
  return { part, text: `data: ${JSON.stringify(value)}\n\n` };
}

function callDeltas(call: AnswerCall, index: number, chunkSize: number): readonly object[] {
  const opening = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } };
  const pieces = splitText(call.arguments, chunkSize).map((text) => ({
    index,
    function: { arguments: text },
  }));
  return [opening, ...pieces].map((piece) => ({ tool_calls: [piece] }));
}

function deltasOf({ call, answer, chunkSize }: Reply): readonly object[] {
  return [
    { role: 'assistant', content: answer.calls.length > 0 && answer.text === '' ? null : '' },
    ...reasoningDetails(call.model, answer.reasoning).map((detail) => ({ reasoning_details: [detail] })),
    ...splitText(answer.text, chunkSize).map((content) => ({ content })),
    ...answer.calls.flatMap((made, index) => callDeltas(made, index, chunkSize)),
  ];
}

/** The chunks of a streamed answer, the finish chunk, usage when it was asked for, and `[DONE]`. */
export function renderChunks(reply: Reply): readonly Frame[] {
  const base = envelope(reply, 'chat.completion.chunk');
  const usage = reply.call.includeUsage ? { usage: null } : {};
  const chunk = (delta: object, finish: string | null) => ({
    ...base,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...usage,
  });
  return [
    ...deltasOf(reply).map((delta) => event('content', chunk(delta, null))),
    event('finish', chunk({}, reply.answer.finishReason)),
    ...(reply.call.includeUsage
      ? [event('usage', { ...base, choices: [], usage: renderUsage(reply.usage) })]
      : []),
    { part: 'done', text: 'data: [DONE]\n\n' },
  ];
}
