import type { CST } from 'yaml';

const MAX_DEPTH = 8;

type Node = CST.Token | CST.CollectionItem;

/**
 * Walks the concrete syntax of a YAML text with a stack of its own, before anything recursive sees it: depth, anchors,
 * aliases and tags (spec 02 §4). Answers what is wrong as the end of a sentence, or null.
 */
export function checkYamlTokens(tokens: readonly CST.Token[]): string | null {
  const open: { readonly node: Node; readonly depth: number }[] = tokens.map((node) => ({ node, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (depth > MAX_DEPTH * 2) return `is nested deeper than ${MAX_DEPTH} levels`;
    const fault = 'type' in node ? faultOf(node.type) : null;
    if (fault !== null) return fault;
    for (const child of childrenOf(node)) open.push({ node: child, depth: depth + 1 });
  }
  return null;
}

function faultOf(type: CST.Token['type']): string | null {
  if (type === 'anchor') return 'uses an anchor';
  if (type === 'alias') return 'uses an alias (quote a value that starts with "*")';
  if (type === 'tag') return 'uses a tag';
  if (type === 'directive') return 'uses a directive';
  return null;
}

function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  for (const value of Object.values(node) as unknown[]) {
    for (const candidate of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof candidate === 'object' && candidate !== null) children.push(candidate as Node);
    }
  }
  return children;
}
