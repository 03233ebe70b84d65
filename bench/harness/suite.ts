import type { Measurement } from './measurement.js';

export interface SuiteOptions {
  /** Fewer rounds: shows that a suite runs; its figures are not to be quoted. */
  readonly quick: boolean;
  /** Events that the log holds already in the part of `log` that measures this; that part is left out without them. */
  readonly rows: number | null;
}

/** One topic of the benchmarks. It starts what it needs and leaves nothing running. */
export interface Suite {
  readonly name: string;
  /** How it measures, one paragraph of Markdown under the table in docs/benchmarks.md. */
  readonly method: string;
  run(options: SuiteOptions): Promise<readonly Measurement[]>;
}
