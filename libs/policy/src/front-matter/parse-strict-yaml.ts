import { Composer, isMap, isScalar, isSeq, type Document } from 'yaml';
import { checkYamlTokens } from './check-yaml-tokens.js';
import { readYamlTokens } from './read-yaml-tokens.js';

/** A value of a front matter mapping: a scalar of YAML 1.2 core, a list of scalars, or something deeper that no key takes. */
export type FrontMatterValue =
  string | number | boolean | bigint | null | readonly unknown[] | { readonly nested: true };

/** A front matter mapping by key, or what is wrong with it as the end of a sentence. */
export type ParsedYaml =
  | { readonly ok: true; readonly fields: ReadonlyMap<string, FrontMatterValue> }
  | { readonly ok: false; readonly fault: string };

const NESTED = Object.freeze({ nested: true });

/**
 * Reads one mapping of strict YAML 1.2 core: errors and warnings refuse, as do duplicate keys, anchors, aliases,
 * tags and further documents. A merge key is an ordinary, hence unknown, key. Messages carry a code and a line, never text.
 */
export function parseStrictYaml(text: string): ParsedYaml {
  const read = readYamlTokens(text);
  if (!read.ok) return read;
  const found = checkYamlTokens(read.tokens);
  if (found !== null) return { ok: false, fault: `${found.fault} (line ${lineInFile(text, found.offset)})` };
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: true,
    strict: true,
    logLevel: 'silent',
  });
  const documents = [...composer.compose(read.tokens)];
  const [document] = documents;
  if (document === undefined) return { ok: false, fault: 'is empty' };
  if (documents.length > 1) return { ok: false, fault: 'holds more than one document' };
  return readDocument(document, text);
}

function readDocument(document: Document.Parsed, text: string): ParsedYaml {
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    return {
      ok: false,
      fault: `is not strict YAML 1.2 (${problem.code}, line ${lineInFile(text, problem.pos[0])})`,
    };
  }
  if (!isMap(document.contents)) return { ok: false, fault: 'is not a mapping' };
  const fields = new Map<string, FrontMatterValue>();
  for (const { key, value } of document.contents.items) {
    fields.set(isScalar(key) ? String(key.value) : '[a nested key]', readValue(value));
  }
  return { ok: true, fields };
}

/** The first line of the file is the fence. */
function lineInFile(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length + 1;
}

function readValue(node: unknown): FrontMatterValue {
  if (node === null) return null;
  if (isScalar(node)) return node.value as FrontMatterValue;
  if (isSeq(node)) return node.items.map((item) => (isScalar(item) ? item.value : NESTED));
  return NESTED;
}
