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
  return decision === 'block'
    ? { ok: true, decision, reason }
    : { ok: true, decision, arguments: rewriteOf(value) };
}

/** Taken from the value as it was parsed: the schema's copy of an object leaves out what it must not copy. */
function rewriteOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'arguments')) return null;
  return JSON.stringify(Reflect.get(value, 'arguments'));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
