import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../../test/conformance');

/** Reads one of the project's conformance tables, with the generated values written out. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller names the rows it expects of a file
export function conformanceTable<T>(file: string): T {
  return JSON.parse(readFileSync(join(FOLDER, file), 'utf8'), revive) as T;
}

type Part = string | [string, number];

function revive(_key: string, value: unknown): unknown {
  const marker = value as { $text?: Part[]; $list?: [unknown, number][]; $bytes?: string } | null;
  if (marker?.$text)
    return marker.$text.map((part) => (Array.isArray(part) ? part[0].repeat(part[1]) : part)).join('');
  if (marker?.$list) return marker.$list.flatMap(([item, count]) => repeat(item, count));
  if (marker?.$bytes) return Buffer.from(marker.$bytes, 'base64');
  return value;
}

function repeat(item: unknown, count: number): unknown[] {
  return Array.from({ length: count }, (_, index) =>
    typeof item === 'string' ? item.replaceAll('#', String(index)) : item,
  );
}
