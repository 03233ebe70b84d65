import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../../test/conformance');

/** Reads one of the project's conformance tables, with the generated values written out. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller names the rows it expects of a file
export function conformanceTable<T>(file: string): T {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'), revive) as T;
}

interface Marker {
  readonly $text?: readonly (string | readonly [string, number])[];
  readonly $list?: readonly (readonly [unknown, number])[];
  readonly $bytes?: string;
}

function revive(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { $text, $list, $bytes } = value as Marker;
  if ($text !== undefined)
    return $text.map((part) => (typeof part === 'string' ? part : part[0].repeat(part[1]))).join('');
  if ($list !== undefined)
    return $list.flatMap(([item, count]) => Array.from({ length: count }, (_, at) => numbered(item, at)));
  return $bytes === undefined ? value : Buffer.from($bytes, 'base64');
}

const numbered = (item: unknown, at: number): unknown =>
  typeof item === 'string' ? item.replaceAll('#', String(at)) : item;
