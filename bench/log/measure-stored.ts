import type { BenchDatabase } from '../harness/bench-database.js';
import { type Measurement, measurement } from '../harness/measurement.js';
import { type Appender, appenderOf, type OpenStream, ownAppender } from './appenders.js';
import { fillLog } from './fill-log.js';
import { type AppendRounds, type Figures, takeTurns, writers } from './measure-appends.js';

/** A log that holds so many events appends as an empty one does, give or take a tenth. */
const goal = { atLeast: 0.9 };

/** Appends to a log that holds `rows` events beside appends to an empty one, on one server and in turns. */
export async function measureStored(
  database: BenchDatabase,
  rows: number,
  options: AppendRounds,
): Promise<readonly Measurement[]> {
  const emptyUrl = await database.another('bench_empty');
  const storedUrl = await database.another('bench_stored');
  const streams = await fillLog(storedUrl, rows);
  const appenders = [
    await ownAppender(emptyUrl, 'an empty log'),
    await ownAppender(storedUrl, 'new streams'),
    await followingAppender(storedUrl, streams),
  ];
  try {
    const [empty, ...stored] = await takeTurns(appenders, options);
    if (empty === undefined) throw new Error('Nothing was measured.');
    return stored.flatMap((figures) => compared(figures, empty, rows));
  } finally {
    for (const appender of appenders) await appender.close();
  }
}

/** Each writer takes one stored stream after the other, so that every append goes to another page of the index. */
function followingAppender(url: string, streams: readonly OpenStream[]): Promise<Appender> {
  return appenderOf(url, 'stored streams', (writer) => {
    const own = streams.filter((_, index) => index % writers === writer);
    let turn = 0;
    return () => {
      const open = own[turn % own.length];
      if (open === undefined) throw new Error('There are fewer stored streams than writers.');
      turn += 1;
      return open;
    };
  });
}

function compared(stored: Figures, empty: Figures, rows: number): readonly Measurement[] {
  const what = `${(rows / 1_000_000).toLocaleString('en')} million events stored, ${stored.name}`;
  const about = { suite: 'log', peer: { name: empty.name, value: empty.perSecond } };
  return [
    measurement({ ...about, metric: `appends with ${what}`, unit: '1/s', value: stored.perSecond }),
    measurement({
      suite: 'log',
      metric: `appends as a multiple of an empty log, ${stored.name}`,
      unit: 'x',
      value: stored.perSecond / empty.perSecond,
      goal,
    }),
    measurement({
      suite: 'log',
      metric: `p99 of an append with ${what}`,
      unit: 'ms',
      value: stored.p99Ms,
      peer: { name: empty.name, value: empty.p99Ms },
    }),
  ];
}
