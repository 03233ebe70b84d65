import { accepted, PolicyCode, rejected, type Result } from '../rejection.js';

/** Most levels of nesting, and most values in all, in JSON from outside. */
export interface JsonBounds {
  readonly maxDepth: number;
  readonly maxNodes: number;
}

/** Far under the depth at which serialisers and validators run out of stack. */
export const JSON_BOUNDS: JsonBounds = Object.freeze({ maxDepth: 64, maxNodes: 100_000 });

/**
 * Counts depth and values of parsed JSON with a stack of its own, to be run before anything recursive touches the value. A scalar
 * has depth 0.
 */
export function checkJsonBounds<T>(value: T, bounds: JsonBounds = JSON_BOUNDS): Result<T> {
  const open: { readonly node: unknown; readonly depth: number }[] = [{ node: value, depth: 0 }];
  let nodes = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    nodes += 1;
    if (nodes > bounds.maxNodes) return outOfBounds(`more than ${bounds.maxNodes} values`);
    if (typeof node !== 'object' || node === null) continue;
    if (depth >= bounds.maxDepth) return outOfBounds(`more than ${bounds.maxDepth} levels of nesting`);
    for (const child of Object.values(node)) open.push({ node: child, depth: depth + 1 });
  }
  return accepted(value);
}

function outOfBounds(what: string): Result<never> {
  return rejected(PolicyCode.JSON_OUT_OF_BOUNDS, `The JSON has ${what}.`);
}
