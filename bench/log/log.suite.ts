import { startBenchDatabase } from '../harness/bench-database.js';
import type { Measurement } from '../harness/measurement.js';
import type { Suite, SuiteOptions } from '../harness/suite.js';
import { measureAppends } from './measure-appends.js';
import { measureCatchUp } from './measure-catch-up.js';

/** What recording and reading cost, beside what one would write instead. */
export const logSuite: Suite = {
  name: 'log',
  method:
    'One PostgreSQL as the product embeds it (fsync on), all contestants in one process and in turns. Appends: 16 callers, each with a stream ' +
    'of its own, one event of 400 bytes after the other. The plain INSERTs write the same row under the same indexes over 16 ' +
    'connections, with neither chain nor check; "prepared" keeps the plan of its statement, the other is planned each time, as a bare ' +
    '`query(text, values)` is. Emmett has 16 connections too. Catch-up: pages of 1,000 events against `FETCH 1000` of a server-side cursor over the bare rows.',
  run: (options) => runLog(options),
};

async function runLog({ quick }: SuiteOptions): Promise<readonly Measurement[]> {
  const database = await startBenchDatabase();
  const { url } = database;
  try {
    return [
      ...(await measureAppends(
        url,
        quick ? { rounds: 2, durationMs: 500 } : { rounds: 7, durationMs: 2_000 },
      )),
      ...(await measureCatchUp(url, quick ? { events: 20_000, rounds: 2 } : { events: 200_000, rounds: 5 })),
    ];
  } finally {
    await database.stop();
  }
}
