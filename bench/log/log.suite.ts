import { startBenchDatabase } from '../harness/bench-database.js';
import type { Measurement } from '../harness/measurement.js';
import type { Suite, SuiteOptions } from '../harness/suite.js';
import { measureAppends } from './measure-appends.js';
import { checkRoom } from './fill-log.js';
import { measureCatchUp } from './measure-catch-up.js';
import { measureForkStorage } from './measure-fork-storage.js';
import { measureStored } from './measure-stored.js';
import { measureTurns } from './measure-turns.js';

/** What recording and reading cost, beside what one would write instead. */
export const logSuite: Suite = {
  name: 'log',
  method:
    'One PostgreSQL as the product embeds it (fsync on), all contestants in one process and in turns. Appends: 16 callers, each with a stream ' +
    'of its own, one event of 400 bytes after the other. The plain INSERTs write the same row under the same indexes over 16 ' +
    'connections, with neither chain nor check; "prepared" keeps the plan of its statement, the other is planned each time, as a bare ' +
    '`query(text, values)` is. Emmett has 16 connections too. Catch-up: pages of 1,000 events against `FETCH 1000` of a server-side cursor over the bare rows. ' +
    'With `--rows`, the same appends to a log that holds so many events, in streams of 500, beside an empty one: to new streams, and to the ' +
    'stored ones, each append to another. A fork of a history of 1 MB (incompressible) is launched over HTTP, with no worker to run it; its bytes are the growth of the tables with ' +
    'their indexes. Turns: forks of five turns with a tool call and a sixth that ends them, over the whole product; 400 bytes are said ' +
    'in a turn and 2,000 found by its tool, both incompressible. Statements are counted in the log of the server: those of all processes, `begin` and `commit` and all ' +
    'polling included, from the launches until the readers are done; content is what the models said and called and what the tools answered.',
  run: (options) => runLog(options),
};

// A tenth is less than a machine drifts within seconds: only many turns close to each other show it.
const manyShortRounds = { rounds: 31, durationMs: 500 };

async function runLog({ quick, rows }: SuiteOptions): Promise<readonly Measurement[]> {
  // Before anything is measured: the answer must not come after minutes.
  if (rows !== null) await checkRoom(rows);
  const database = await startBenchDatabase();
  const { url } = database;
  const appends = quick ? { rounds: 2, durationMs: 500 } : { rounds: 7, durationMs: 2_000 };
  try {
    return [
      ...(await measureAppends(url, appends)),
      ...(await measureCatchUp(url, quick ? { events: 20_000, rounds: 2 } : { events: 200_000, rounds: 5 })),
      ...(rows === null ? [] : await measureStored(database, rows, quick ? appends : manyShortRounds)),
      ...(await measureForkStorage(database, quick ? 100 : 1_000)),
      ...(await measureTurns(
        database,
        quick ? { loaded: 32, alone: 2, idleMs: 1_000 } : { loaded: 192, alone: 8, idleMs: 5_000 },
      )),
    ];
  } finally {
    await database.stop();
  }
}
