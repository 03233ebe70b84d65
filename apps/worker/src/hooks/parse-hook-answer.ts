import { z } from 'zod';
import { findBrokenJsonLimit } from '../tools/json-limits.js';

/** What a pre-tool hook may answer. There is no word for "approve": a hook narrows. */
const HookAnswer = z.strictObject({
  decision: z.enum(['continue', 'block']).exactOptional(),
  reason: z.string().max(10_000).exactOptional(),
  arguments: z.record(z.string(), z.unknown()).exactOptional(),
});

export type ParsedHookAnswer =
  | { readonly ok: true; readonly decision: 'block'; readonly reason: string }
  /** `arguments` is the JSON text to go on with; null leaves them as they are. */
  | { readonly ok: true; readonly decision: 'continue'; readonly arguments: string | null }
  | { readonly ok: false; readonly problem: string };

/** Reads an answer strictly: what is not understood is no consent. Empty text means "go on". Never throws. */
export function parseHookAnswer(text: string): ParsedHookAnswer {
  if (text.trim() === '') return { ok: true, decision: 'continue', arguments: null };
  const broken = findBrokenJsonLimit(text);
  if (broken !== undefined) return { ok: false, problem: `its answer is ${broken}` };
  const value = parseJson(text);
  const answer = HookAnswer.safeParse(value);
  if (!answer.success) {
    const accepted = 'a JSON object of decision ("continue" or "block"), reason and arguments (an object)';
    return { ok: false, problem: `its answer is not ${accepted}` };
  }
  const { decision = 'continue', reason = '' } = answer.data;
  if (decision === 'block') return { ok: true, decision, reason };
  const given: unknown =
    answer.data.arguments === undefined ? undefined : Reflect.get(value as object, 'arguments');
  return { ok: true, decision, arguments: given === undefined ? null : JSON.stringify(given) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
