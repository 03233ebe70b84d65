const maxDepth = 512;
const loneSurrogate = /\p{Cs}/u;

interface Node {
  readonly value: unknown;
  readonly key: string;
  readonly parent: Node | null;
  readonly depth: number;
}

function pathOf(node: Node): string {
  const keys: string[] = [];
  for (let at: Node | null = node; at !== null; at = at.parent) keys.unshift(at.key);
  return keys.join('').replace(/^\./, '');
}

function childrenOf(node: Node): readonly Node[] {
  const { value } = node;
  if (typeof value !== 'object' || value === null) return [];
  const depth = node.depth + 1;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => ({ value: item, key: `[${index}]`, parent: node, depth }));
  }
  return Object.entries(value as Record<string, unknown>).map(([key, item]) => ({
    value: item,
    key: `.${key}`,
    parent: node,
    depth,
  }));
}

function faultOf(node: Node): string | null {
  if (node.depth > maxDepth) return `nested deeper than ${maxDepth} levels`;
  if (loneSurrogate.test(node.key)) return 'a key that is not well-formed UTF-16 (lone surrogate)';
  if (typeof node.value === 'string' && loneSurrogate.test(node.value)) {
    return 'text that is not well-formed UTF-16 (lone surrogate)';
  }
  return null;
}

/**
 * The first value of parsed JSON that no provider takes: a lone surrogate (written raw or as an escape) in a
 * string or a key, or nesting past 512 levels. Iterative, so depth cannot exhaust the stack; null when sound.
 */
export function findIllFormed(root: unknown): { readonly path: string; readonly fault: string } | null {
  const open: Node[] = [{ value: root, key: '', parent: null, depth: 0 }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const fault = faultOf(node);
    if (fault !== null) return { path: pathOf(node), fault };
    for (const child of childrenOf(node)) open.push(child);
  }
  return null;
}
