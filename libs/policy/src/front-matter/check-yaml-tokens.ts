import { CST } from 'yaml';

/** Finding duplicate keys takes quadratic time, and no front matter has more than a handful. */
const MAX_KEYS = 100;

type Node = CST.Token | CST.CollectionItem;

/** What is wrong as the end of a sentence, and where it begins, in characters from the start of the text. */
export interface TokenFault {
  readonly fault: string;
  readonly offset: number;
}

/**
 * Walks the concrete syntax of a YAML text with a stack of its own, for what strict front matter may not use: anchors,
 * aliases, tags, directives, tabs and huge mappings (spec 02 §4). Answers one fault, or null.
 */
export function checkYamlTokens(tokens: readonly CST.Token[]): TokenFault | null {
  const open: Node[] = [...tokens];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const fault = 'type' in node ? tokenFault(node) : null;
    if (fault !== null) return fault;
    open.push(...childrenOf(node));
  }
  return null;
}

function tokenFault(token: CST.Token): TokenFault | null {
  const fault = faultOf(token);
  if (fault !== null) return { fault, offset: 'offset' in token ? token.offset : 0 };
  const bracket = token.type === 'block-map' ? bracketTooFarLeft(token) : undefined;
  if (bracket === undefined) return null;
  return { fault: 'has a closing bracket that is not indented more than its key', offset: bracket.offset };
}

/** YAML 1.2 wants every line of a flow value indented more than its key, the bracket's too; the composer lets that one pass. */
function bracketTooFarLeft({ items, indent }: CST.BlockMap): CST.SourceToken | undefined {
  return items
    .map(({ value }) => value)
    .filter((value) => value?.type === 'flow-collection')
    .filter((value) => CST.stringify({ ...value, end: [] }).includes('\n'))
    .flatMap(({ end }) => end)
    .find((end) => /^flow-(?:seq|map)-end$/.test(end.type) && end.indent <= indent);
}

function faultOf(token: CST.Token): string | null {
  if (token.type === 'anchor') return 'uses an anchor';
  if (token.type === 'alias') return 'uses an alias (quote a value that starts with "*")';
  if (token.type === 'tag') return 'uses a tag';
  if (token.type === 'directive') return 'uses a directive';
  // Readers differ on where a tab may separate.
  if (token.type === 'space' && token.source.includes('\t'))
    return 'uses a tab between its parts (use spaces)';
  return isHugeMapping(token) ? `has a mapping of more than ${MAX_KEYS} keys` : null;
}

function isHugeMapping(token: CST.Token): boolean {
  if (token.type === 'block-map') return token.items.length > MAX_KEYS;
  const isFlowMap = token.type === 'flow-collection' && token.start.type === 'flow-map-start';
  return isFlowMap && token.items.length > MAX_KEYS;
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
