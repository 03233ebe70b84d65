import type { Frame, Reply } from '../protocol/protocol.js';
import { splitText } from '../protocol/split-text.js';
import { sealReasoning } from '../reasoning/sealed-reasoning.js';
import { envelope, renderUsage, stopReason } from './render-message.js';

interface Block {
  readonly start: object;
  readonly deltas: readonly object[];
}

function event(
  part: Frame['part'],
  value: { readonly type: string; readonly [key: string]: unknown },
): Frame {
  return { part, text: `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n` };
}

function blocksOf({ call, answer, chunkSize }: Reply): readonly Block[] {
  const thinking = sealReasoning(call.model, answer.reasoning).map(({ text, seal }) => ({
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...splitText(text, chunkSize).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature: seal },
    ],
  }));
  const text = {
    start: { type: 'text', text: '' },
    deltas: splitText(answer.text, chunkSize).map((piece) => ({ type: 'text_delta', text: piece })),
  };
  const calls = answer.calls.map((made) => ({
    start: { type: 'tool_use', id: made.id, name: made.name, input: {} },
    deltas: splitText(made.arguments, chunkSize).map((piece) => ({
      type: 'input_json_delta',
      partial_json: piece,
    })),
  }));
  return [...thinking, ...(answer.text === '' ? [] : [text]), ...calls];
}

function blockFrames(block: Block, index: number): readonly Frame[] {
  return [
    event('content', { type: 'content_block_start', index, content_block: block.start }),
    ...block.deltas.map((delta) => event('content', { type: 'content_block_delta', index, delta })),
    event('content', { type: 'content_block_stop', index }),
  ];
}

/** The events of a streamed answer: message_start, each block, message_delta with reason and usage, message_stop. */
export function renderEvents(reply: Reply): readonly Frame[] {
  const usage = renderUsage(reply.usage);
  const message = { ...envelope(reply), content: [], stop_reason: null, stop_sequence: null };
  const delta = { stop_reason: stopReason(reply.answer.finishReason), stop_sequence: null };
  return [
    event('content', {
      type: 'message_start',
      message: { ...message, usage: { ...usage, output_tokens: 1 } },
    }),
    ...blocksOf(reply).flatMap(blockFrames),
    event('finish', { type: 'message_delta', delta, usage: { output_tokens: usage.output_tokens } }),
    event('done', { type: 'message_stop' }),
  ];
}
