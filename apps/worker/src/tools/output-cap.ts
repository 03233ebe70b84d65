/** What stands for an empty result: providers refuse empty text, and a model should not have to guess. */
export const EMPTY_OUTPUT = '(no output)';

/** The smallest cap that leaves room for the marker and something on both sides of it. */
export const SMALLEST_CAP = 200;

const MARKER_ROOM = 100;

/** `text` is what the model is shown; `full` is the whole output, present only when something was cut. */
export interface CappedOutput {
  readonly text: string;
  readonly full?: string;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function startsPair(text: string, index: number): boolean {
  return isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1));
}

/** Counts code points; a lone surrogate is one. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += startsPair(text, index) ? 2 : 1) count += 1;
  return count;
}

/** The first `count` code points of a text. */
export function firstCodePoints(text: string, count: number): string {
  let index = 0;
  for (let left = count; left > 0 && index < text.length; left -= 1) index += startsPair(text, index) ? 2 : 1;
  return text.slice(0, index);
}

/** The last `count` code points of a text. */
export function lastCodePoints(text: string, count: number): string {
  let index = text.length;
  for (let left = count; left > 0 && index > 0; left -= 1)
    index -= index > 1 && startsPair(text, index - 2) ? 2 : 1;
  return text.slice(index);
}

/**
 * Cuts the middle out of an output that is longer than `cap` code points and says in its place how much is
 * gone; the result is never longer than the cap and never splits a code point. Empty output becomes
 * `EMPTY_OUTPUT`. Throws RangeError for a cap under `SMALLEST_CAP`, which is a mistake of the caller.
 */
export function capOutput(output: string, cap: number): CappedOutput {
  if (cap < SMALLEST_CAP)
    throw new RangeError(`An output cap is at least ${SMALLEST_CAP} code points; got ${cap}.`);
  if (output === '') return { text: EMPTY_OUTPUT };
  if (output.length <= cap) return { text: output };
  const total = countCodePoints(output);
  if (total <= cap) return { text: output };
  const kept = cap - MARKER_ROOM;
  const head = firstCodePoints(output, Math.ceil(kept / 2));
  const tail = lastCodePoints(output, Math.floor(kept / 2));
  return { text: `${head}\n[${total - kept} of ${total} characters cut here]\n${tail}`, full: output };
}
