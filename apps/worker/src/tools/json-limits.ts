/** The sizes of JSON text that are let through. */
export interface JsonLimits {
  readonly sizeBytes: number;
  readonly depth: number;
  readonly nodes: number;
}

/** The sizes of JSON that is let near anything recursive: a validator, a serialiser, a database (spec 04 §6). */
export const JSON_LIMITS: JsonLimits = Object.freeze({ sizeBytes: 1_048_576, depth: 64, nodes: 100_000 });

/** What each punctuation mark adds to the depth and to the number of values begun. */
const STEPS: ReadonlyMap<string, readonly [depth: number, nodes: number]> = new Map([
  ['{', [1, 1]],
  ['[', [1, 1]],
  ['}', [-1, 0]],
  [']', [-1, 0]],
  [',', [0, 1]],
]);
const NO_STEP = [0, 0] as const;

/** The index of the quote that ends the string whose first quote is at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}

/**
 * Says which limit a JSON text breaks, or nothing. Runs over the text before it is parsed and without
 * recursion, so that no input is too deep for it. Values are counted by their punctuation, an empty list or
 * object as two; text that is no JSON at all is left to the parser.
 */
export function findBrokenJsonLimit(text: string, limits: JsonLimits = JSON_LIMITS): string | undefined {
  if (Buffer.byteLength(text) > limits.sizeBytes) return `larger than ${limits.sizeBytes} bytes`;
  let depth = 0;
  let nodes = 1;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === '"') index = endOfString(text, index);
    const [deeper, more] = STEPS.get(char) ?? NO_STEP;
    depth += deeper;
    nodes += more;
    if (depth > limits.depth) return `nested deeper than ${limits.depth}`;
    if (nodes > limits.nodes) return `made of more than ${limits.nodes} values`;
  }
  return undefined;
}
