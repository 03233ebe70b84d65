import { readFile } from 'node:fs/promises';
import { UsageError } from './usage-error.js';

/** The flags that say which list is meant; `tools: false` is `--no-tools`. */
export interface ToolListFlags {
  readonly tools?: string | false;
  readonly toolsFile?: string;
}

/** A list as given, unjudged: `given` is false where there is none, which is no restriction. */
export type GivenList = { readonly given: false } | { readonly given: true; readonly list: unknown };

/** Reads the list of the flags. A file is a JSON value, or one entry a line; nothing is trimmed, skipped or repaired. */
export async function readToolList({ tools, toolsFile }: ToolListFlags): Promise<GivenList> {
  if (tools !== undefined && toolsFile !== undefined)
    throw new UsageError('Give the list once: with --tools, --no-tools or --tools-file.');
  if (toolsFile !== undefined) return { given: true, list: parseListFile(await textOf(toolsFile)) };
  if (tools === undefined) return { given: false };
  return { given: true, list: tools === false ? [] : tools.split(',') };
}

/** The list in a file's text. */
export function parseListFile(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, '');
  if (/^\s*[[{"]/.test(plain)) return parseJson(plain);
  const lines = plain.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError('The list file begins like JSON and is none.', { cause });
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file === '-' ? '/dev/stdin' : file, 'utf8');
  } catch (cause) {
    throw new UsageError(`The list file ${file} cannot be read.`, { cause });
  }
}
