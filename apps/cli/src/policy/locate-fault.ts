import { isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import type { Rejection } from '#policy';

type Locator = (text: string, rejection: Rejection) => readonly number[];

/** Where each check of a profile file looks; a check that is about no line is not here. */
const locators: ReadonlyMap<string, Locator> = new Map<string, Locator>([
  ['encoding', (text, { message }) => [lineOfMatch(text, /escape/.test(message) ? escape : noText)]],
  ['frontmatter', (text) => [isFenced(text) ? linesOf(text).length : 1]],
  ['body', (text) => [bodyLine(text)]],
  // The parser names the line itself, but for what is wrong with the front matter as a whole.
  ['yaml', (_text, { message }) => [Number(/line (\d+)\)/.exec(message)?.[1] ?? 2)]],
  ['keys', (text, { offenders }) => linesOfKeys(text, offenders)],
  ['name', (text) => linesOfKeys(text, ['name'])],
  ['promptHint', (text) => linesOfKeys(text, ['promptHint'])],
  ['description', (text) => linesOfKeys(text, ['description'])],
  ['tools', (text, { offenders }) => linesOfTools(text, offenders)],
]);

/** What cannot be decoded, a control character, or a lone carriage return. */
const noText = /\uFFFD|[^\P{Cc}\t\n\r]|\r(?!\n)/u;
/** An escape of a double-quoted YAML text that can make a control character. */
const escape = /\\[xuU0abefrvNLP_]/;

/**
 * The lines of a profile file that a rejection is about, from 1, in order; empty where it is about no line (its size, its place). Pure;
 * the text is that of the file which the rejection was made for.
 */
export function locateFault(text: string, rejection: Rejection): readonly number[] {
  return locators.get(rejection.reason ?? '')?.(text, rejection) ?? [];
}

const linesOf = (text: string): readonly string[] => text.replace(/^\uFEFF/, '').split(/\r?\n/);
const isFenced = (text: string): boolean => linesOf(text)[0] === '---';

function lineOfMatch(text: string, shape: RegExp): number {
  const at = text.search(shape);
  return at < 0 ? 1 : linesOf(text.slice(0, at)).length;
}

const closingLine = (lines: readonly string[]): number => lines.indexOf('---', 1);

function bodyLine(text: string): number {
  const lines = linesOf(text);
  const close = closingLine(lines);
  return lines.findIndex((line, index) => index > close && line.trim() !== '') + 1;
}

interface Mapping {
  readonly map: YAMLMap;
  readonly lineOf: (node: unknown) => number;
}

/** The front matter as a mapping whose nodes know their line in the file; null where it is none. */
function mappingOf(text: string): Mapping | null {
  const lines = linesOf(text);
  const lineCounter = new LineCounter();
  const yaml = lines.slice(1, closingLine(lines)).join('\n');
  const { contents } = parseDocument(yaml, {
    lineCounter,
    version: '1.2',
    schema: 'core',
    logLevel: 'silent',
  });
  if (!isMap(contents)) return null;
  // The first line of the file is the fence.
  const lineOf = (node: unknown): number => {
    const start = isScalar(node) || isSeq(node) || isMap(node) ? node.range?.[0] : undefined;
    return lineCounter.linePos(start ?? 0).line + 1;
  };
  return { map: contents, lineOf };
}

/** The lines of these keys; the first line of the file for keys that are missing. */
function linesOfKeys(text: string, keys: readonly string[]): readonly number[] {
  const mapping = mappingOf(text);
  const found = (mapping?.map.items ?? [])
    .filter(({ key }) => isScalar(key) && keys.includes(String(key.value)))
    .map(({ key }) => mapping?.lineOf(key) ?? 1);
  return inOrder(found);
}

/** The lines of the items that offend; of the key where the list as a whole does. */
function linesOfTools(text: string, offenders: readonly string[]): readonly number[] {
  const mapping = mappingOf(text);
  const items = mapping?.map.get('tools', true);
  const offending = (isSeq(items) ? items.items : []).filter((item) => {
    const value: unknown = isScalar(item) ? item.value : null;
    return (
      typeof value !== 'string' || offenders.some((offender) => offender === value || isCut(offender, value))
    );
  });
  if (offending.length === 0) return linesOfKeys(text, ['tools']);
  return inOrder(offending.map((item) => mapping?.lineOf(item) ?? 1));
}

/** A rejection cuts a long offender. */
const isCut = (offender: string, value: string): boolean =>
  offender.length > 100 && value.startsWith(offender.slice(0, 100));

function inOrder(lines: readonly number[]): readonly number[] {
  return lines.length === 0 ? [1] : [...new Set(lines)].sort((a, b) => a - b);
}
