import type { Answer, AnswerCall } from '../protocol/answer.js';
import { bytesPerToken } from '../cache/token-count.js';

/** The longest beginning of a text that fits a number of bytes; a code point is kept whole or left out. */
function cutToBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let used = 0;
  let kept = '';
  for (const point of text) {
    used += Buffer.byteLength(point);
    if (used > bytes) break;
    kept += point;
  }
  return kept;
}

function sizeOf(answer: Answer): number {
  const texts = [...answer.reasoning, answer.text, ...answer.calls.map((call) => call.name + call.arguments)];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function cutCalls(calls: readonly AnswerCall[], bytes: number): readonly AnswerCall[] {
  const kept: AnswerCall[] = [];
  let left = bytes;
  for (const call of calls) {
    const room = left - Buffer.byteLength(call.name);
    if (room <= 0) break;
    const cut = cutToBytes(call.arguments, room);
    kept.push({ ...call, arguments: cut });
    left = room - Buffer.byteLength(cut);
  }
  return kept;
}

/**
 * Cuts an answer at the client's cap, as a model that runs out of output does: reasoning first spends the room, then
 * text, then each call in turn, and the reason to end is `length`. Reasoning that does not fit is left out whole,
 * because a sealed block cannot be shortened.
 */
export function capAnswer(answer: Answer, maxOutputTokens: number | null): Answer {
  if (maxOutputTokens === null) return answer;
  const room = maxOutputTokens * bytesPerToken;
  if (sizeOf(answer) <= room) return answer;
  const thought = Buffer.byteLength(answer.reasoning.join(''));
  if (thought > room) return { reasoning: [], text: '', calls: [], finishReason: 'length' };
  const text = cutToBytes(answer.text, room - thought);
  const calls = cutCalls(answer.calls, room - thought - Buffer.byteLength(text));
  return { reasoning: answer.reasoning, text, calls, finishReason: 'length' };
}
