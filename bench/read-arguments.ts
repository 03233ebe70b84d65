import { parseArgs } from 'node:util';

// Sixteen writers with a stored stream each at least, and what a machine can be expected to hold at most.
const [fewestRows, mostRows] = [10_000, 100_000_000];

export interface BenchArguments {
  readonly names: readonly string[];
  readonly json: boolean;
  readonly quick: boolean;
  readonly write: boolean;
  readonly rows: number | null;
}

/** Reads `[suite …] [--json] [--quick] [--write] [--rows N]`; no suite means all. Throws a sentence for people. */
export function readArguments(args: readonly string[], known: readonly string[]): BenchArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      rows: { type: 'string' },
    },
  });
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`No such suite: ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  if (values.quick && values.write) throw new Error('Figures of a quick run are not written down.');
  const { rows, ...flags } = values;
  const names = positionals.length > 0 ? [...new Set(positionals)] : known;
  return { names, ...flags, rows: rows === undefined ? null : wholeNumber(rows) };
}

function wholeNumber(text: string): number {
  const rows = Number(text);
  if (/^\d+$/.test(text) && rows >= fewestRows && rows <= mostRows) return rows;
  throw new Error(`--rows is a whole number from ${fewestRows} to ${mostRows}, and not "${text}".`);
}
