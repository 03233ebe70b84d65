import type { CallBlock, Message, ToolMessage } from '#transcripts';

/** A message that makes a history unsendable. `index` counts in the list that was judged. */
export interface HistoryDefect {
  readonly index: number;
  readonly reason: string;
}

/** Call ids still without a result, with how many calls wait under each, and where those calls stand. */
interface Batch {
  readonly index: number;
  readonly open: Map<string, number>;
}

function openBatch(index: number, calls: readonly CallBlock[]): Batch {
  const open = new Map<string, number>();
  for (const call of calls) open.set(call.id, (open.get(call.id) ?? 0) + 1);
  return { index, open };
}

function answer(batch: Batch, message: ToolMessage): string | null {
  for (const result of message.blocks) {
    const waiting = batch.open.get(result.callId) ?? 0;
    if (waiting === 0) return `A result answers the call "${result.callId}", which is not waiting for one.`;
    if (waiting === 1) batch.open.delete(result.callId);
    else batch.open.set(result.callId, waiting - 1);
  }
  return null;
}

function unanswered(batch: Batch): HistoryDefect | null {
  const [first] = batch.open.keys();
  return first === undefined ? null : { index: batch.index, reason: `The call "${first}" has no result.` };
}

function isCall(block: { readonly type: string }): block is CallBlock {
  return block.type === 'call';
}

/**
 * The first reason why a provider would refuse this history for ever, or null: a call without exactly one result before
 * the next message, a result without its call, or no message at all (C19). What the renderer mends by rule is no defect:
 * empty content, repeated ids, ill-formed text.
 */
export function findHistoryDefect(messages: readonly Message[]): HistoryDefect | null {
  if (messages.length === 0) return { index: 0, reason: 'The history holds no message.' };
  let batch = openBatch(0, []);
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const reason = answer(batch, message);
      if (reason !== null) return { index, reason };
      continue;
    }
    const defect = unanswered(batch);
    if (defect !== null) return defect;
    batch = openBatch(index, message.role === 'assistant' ? message.blocks.filter(isCall) : []);
  }
  return unanswered(batch);
}
