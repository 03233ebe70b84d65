import { isUtf8 } from 'node:buffer';
import yaml from 'js-yaml';

/** What a profile says, as another reader understands it; absent and blank texts are null. */
export interface OracleProfile {
  readonly tools: readonly string[];
  readonly promptHint: string | null;
  readonly description: string | null;
}

const KEYS = new Set(['name', 'tools', 'promptHint', 'description']);
const FILE = /^\ufeff?---\r?\n(?:(?<yaml>[^]*?)\r?\n)??---(?:\r?\n(?<rest>[^]*))?$/;

/**
 * Reads a profile a second time, by rules written down from spec 02 §4 alone and another YAML library, with nothing of
 * the product in it. Null is a refusal. It may refuse more than the product must, never less.
 */
export function oracleProfile(bytes: Uint8Array, name: string): OracleProfile | null {
  const text = frontMatterOf(bytes);
  const fields = text === null ? null : mappingOf(text);
  if (fields?.get('name') !== name || [...fields.keys()].some((key) => !KEYS.has(key))) return null;
  const tools = fields.get('tools');
  const promptHint = textOf(fields, 'promptHint', 200);
  const description = textOf(fields, 'description', 500);
  if (!isToolList(tools) || promptHint === undefined || description === undefined) return null;
  return { tools, promptHint, description };
}

function frontMatterOf(bytes: Uint8Array): string | null {
  if (bytes.byteLength > 65_536 || !isUtf8(bytes)) return null;
  const groups = FILE.exec(Buffer.from(bytes).toString('utf8'))?.groups;
  if (groups === undefined || (groups['rest'] ?? '').trim() !== '') return null;
  return (groups['yaml'] ?? '').replaceAll('\r\n', '\n');
}

function mappingOf(text: string): ReadonlyMap<string, unknown> | null {
  // A directive can only stand before the first content.
  const value = /^(?:[ \t]*(?:#.*)?\n)*%/.test(text) ? null : loadOrNull(text);
  return isMapping(value) ? new Map(Object.entries(value)) : null;
}

const isMapping = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function loadOrNull(text: string): unknown {
  try {
    return loadPlain(text);
  } catch (error) {
    // This reader is recursive: what is too deep for its stack is refused too.
    if (error instanceof Error && /^(?:YAMLException|RangeError)$/.test(error.name)) return null;
    throw error;
  }
}

/** The value of a text without anchors, tags and warnings, null with them. All scalars are strings: no reading of numbers gets in between. */
function loadPlain(text: string): unknown {
  const faults: string[] = [];
  const value = yaml.load(text, {
    schema: yaml.FAILSAFE_SCHEMA,
    listener: (event, { anchor, tag }) => {
      if (event === 'close' && (anchor !== null || (tag !== null && tag !== '?'))) faults.push('property');
    },
    onWarning: ({ message }) => faults.push(message),
  });
  return faults.length === 0 ? value : null;
}

function textOf(fields: ReadonlyMap<string, unknown>, key: string, most: number): string | null | undefined {
  if (!fields.has(key)) return null;
  const value = fields.get(key);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (Array.from(text).length > most) return undefined;
  return text === '' ? null : text;
}

function isToolList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= 1_000 && value.every(isEntry);
}

function isEntry(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const isWhole = value !== '' && value.length <= 512 && value.trim() === value;
  return isWhole && (!value.includes('*') || isWildcard(value));
}

function isWildcard(text: string): boolean {
  const rest = /^mcp__([^*]*)\*$/s.exec(text)?.[1];
  return rest !== undefined && (rest === '' || rest.indexOf('__') > 0);
}
