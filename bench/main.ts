import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeMachine } from './harness/machine.js';
import { suiteTable, withSuiteTable } from './harness/suite-table.js';
import { type BenchArguments, readArguments } from './read-arguments.js';
import { suites } from './registry.js';

// Compiled files lie in dist/bench; the document lies in the project.
const documentPath = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.md');

async function runSuite(name: string, { json, quick, write, rows }: BenchArguments): Promise<boolean> {
  const load = suites.get(name);
  if (load === undefined) return true;
  const suite = await load();
  const machine = describeMachine();
  const measurements = await suite.run({ quick, rows });
  const table = suiteTable({ suite, measurements, machine, date: new Date().toISOString().slice(0, 10) });
  const lines = json ? measurements.map((row) => JSON.stringify(row)) : [`${name}\n`, table, ''];
  for (const line of lines) console.log(line);
  if (write) await writeFile(documentPath, withSuiteTable(await readFile(documentPath, 'utf8'), name, table));
  return measurements.every((row) => row.met !== false);
}

try {
  const given = readArguments(process.argv.slice(2), [...suites.keys()]);
  const missed: string[] = [];
  for (const name of given.names) if (!(await runSuite(name, given))) missed.push(name);
  // A missed goal is a figure, not a fault: a loaded machine misses goals, and the caller judges.
  if (missed.length > 0) console.error(`Goals missed in: ${missed.join(', ')}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
