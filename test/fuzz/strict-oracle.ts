import { isUtf8 } from 'node:buffer';
import {
  constructFromEvents,
  EVENT_ID,
  type Event,
  FAILSAFE_SCHEMA,
  parseEvents,
  realMapTag,
  YAMLException,
} from 'js-yaml';

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
  if (
    fields?.get('name') !== name ||
    [...fields.keys()].some((key) => typeof key !== 'string' || !KEYS.has(key))
  )
    return null;
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

// All scalars are strings here: no reading of numbers or nulls gets in between.
const schema = FAILSAFE_SCHEMA.withTags(realMapTag);

function mappingOf(source: string): ReadonlyMap<unknown, unknown> | null {
  try {
    const events = parseEvents(source, {});
    if (!events.every(isPlain)) return null;
    const documents = constructFromEvents(events, { source, schema });
    const [mapping] = documents;
    return documents.length === 1 && mapping instanceof Map ? mapping : null;
  } catch (error) {
    if (error instanceof YAMLException) return null;
    throw error;
  }
}

/** No directive, alias, anchor or tag; where one of the last two is missing it starts at -1. */
function isPlain(event: Event): boolean {
  switch (event.type) {
    case EVENT_ID.DOCUMENT:
      return event.directives.length === 0;
    case EVENT_ID.ALIAS:
      return false;
    case EVENT_ID.POP:
      return true;
    case EVENT_ID.SCALAR:
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return event.anchorStart < 0 && event.tagStart < 0;
  }
}

function textOf(fields: ReadonlyMap<unknown, unknown>, key: string, most: number): string | null | undefined {
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
