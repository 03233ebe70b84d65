import { parseArgs } from 'node:util';

export interface BenchArguments {
  readonly names: readonly string[];
  readonly json: boolean;
  readonly quick: boolean;
  readonly write: boolean;
}

/** Reads `[suite …] [--json] [--quick] [--write]`; no suite means all. Throws a sentence for people. */
export function readArguments(args: readonly string[], known: readonly string[]): BenchArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`No such suite: ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  if (values.quick && values.write) throw new Error('Figures of a quick run are not written down.');
  return { names: positionals.length > 0 ? [...new Set(positionals)] : known, ...values };
}
