import type { LoopFigures } from '../harness/closed-loop.js';
import { interleave } from '../harness/interleave.js';
import { type Goal, type Measurement, measurement } from '../harness/measurement.js';
import { median } from '../harness/median.js';
import { type Appender, emmettAppender, ownAppender, plainAppender } from './appenders.js';

const suite = 'log';
export const writers = 16;

/** What is demanded of the rate of the log against each peer, and of its slowest appends against the plain INSERT's. */
const rateGoals: ReadonlyMap<string, Goal> = new Map([
  ['plain INSERT', { atLeast: 2 }],
  ['plain INSERT, prepared', { atLeast: 2 }],
  ['Emmett', { atLeast: 5 }],
]);

export interface AppendRounds {
  readonly rounds: number;
  readonly durationMs: number;
}

/** Single-event appends of 16 writers, all contestants in turns on one server. */
export async function measureAppends(url: string, options: AppendRounds): Promise<readonly Measurement[]> {
  const own = await ownAppender(url);
  const plain = await plainAppender(url, false);
  const peers = [plain, await plainAppender(url, true), await emmettAppender(url)].filter(
    (peer) => peer !== null,
  );
  const figures = await takeTurns([own, ...peers], options);
  for (const appender of [own, ...peers]) await appender.close();
  const [ours, ...theirs] = figures;
  if (ours === undefined) throw new Error('Nothing was measured.');
  return theirs.flatMap((peer) => compared(ours, peer));
}

export interface Figures {
  readonly name: string;
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** Medians over the rounds. */
export async function takeTurns(
  appenders: readonly Appender[],
  { rounds, durationMs }: AppendRounds,
): Promise<readonly Figures[]> {
  const kept = new Map<string, LoopFigures[]>(appenders.map(({ name }) => [name, []]));
  const contestants = appenders.map((appender) => ({
    name: appender.name,
    sample: async (round: number): Promise<number> => {
      const figures = await appender.measure(writers, durationMs);
      // The first round warms up caches, connections and compiled code.
      if (round > 0) kept.get(appender.name)?.push(figures);
      return figures.perSecond;
    },
  }));
  const rates = await interleave(contestants, { rounds });
  return appenders.map(({ name }) => ({
    name,
    perSecond: median(rates.get(name) ?? []),
    p99Ms: median((kept.get(name) ?? []).map(({ p99Ms }) => p99Ms)),
  }));
}

function compared(ours: Figures, peer: Figures): readonly Measurement[] {
  const rateGoal = rateGoals.get(peer.name);
  const isPlain = peer.name.startsWith('plain');
  const rate = { value: ours.perSecond, peer: { name: peer.name, value: peer.perSecond } };
  const p99 = { value: ours.p99Ms, peer: { name: peer.name, value: peer.p99Ms } };
  return [
    measurement({ suite, metric: 'single-event appends, 16 writers', unit: '1/s', ...rate }),
    measurement({
      suite,
      metric: `appends as a multiple of ${peer.name}`,
      unit: 'x',
      value: ours.perSecond / peer.perSecond,
      ...(rateGoal === undefined ? {} : { goal: rateGoal }),
    }),
    measurement({ suite, metric: 'p99 of an append, 16 writers', unit: 'ms', ...p99 }),
    measurement({
      suite,
      metric: `p99 as a multiple of ${peer.name}`,
      unit: 'x',
      value: ours.p99Ms / peer.p99Ms,
      ...(isPlain ? { goal: { atMost: 1 } } : {}),
    }),
  ];
}
