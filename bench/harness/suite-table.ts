import type { Machine } from './machine.js';
import type { Measurement } from './measurement.js';
import type { Suite } from './suite.js';

/** One run of a suite, for people. */
export interface SuiteRun {
  readonly suite: Pick<Suite, 'name' | 'method'>;
  readonly measurements: readonly Measurement[];
  readonly machine: Machine;
  /** ISO date of the run. */
  readonly date: string;
}

/** The run as Markdown: a table, then what it was measured on and how. */
export function suiteTable({ suite, measurements, machine, date }: SuiteRun): string {
  const rows = measurements.map((row) =>
    [
      row.metric,
      `${row.value} ${row.unit}`,
      row.peer === undefined ? '' : `${row.peer}: ${row.peerValue ?? ''} ${row.unit}`,
      row.ratio?.toString() ?? '',
      goalOf(row),
    ].join(' | '),
  );
  return [
    '| measure | value | peer | value / peer | goal |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
    '',
    `Run of ${date} on ${machine.cores} cores (${machine.processor}), Node ${machine.node}, load ${machine.load} at the start.`,
    '',
    suite.method,
  ].join('\n');
}

function goalOf({ goal, met, unit }: Measurement): string {
  if (goal === undefined) return '';
  return `${goal} ${unit}: ${met === true ? 'met' : 'missed'}`;
}

/**
 * The document with the table of one suite put between its markers, everything else as it was; a suite without
 * markers is added at the end.
 */
export function withSuiteTable(document: string, suite: string, table: string): string {
  const [open, close] = [`<!-- bench:${suite} -->`, `<!-- /bench:${suite} -->`];
  const start = document.indexOf(open);
  const end = document.indexOf(close, start);
  if (start < 0 || end < 0) return `${document.trimEnd()}\n\n## ${suite}\n\n${open}\n${table}\n${close}\n`;
  return `${document.slice(0, start + open.length)}\n${table}\n${document.slice(end)}`;
}
