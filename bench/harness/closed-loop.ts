import { quantile } from './median.js';

export interface LoopFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * `writers` callers that each do one thing after the other for `durationMs`: how many a second, and how long each took.
 * `begin` makes the state of one caller, which `step` is handed back.
 */
export async function closedLoop<State>(options: {
  readonly writers: number;
  readonly durationMs: number;
  readonly begin: (writer: number) => State;
  readonly step: (state: State) => Promise<void>;
}): Promise<LoopFigures> {
  const { writers, durationMs, begin, step } = options;
  const tookMs: number[] = [];
  const start = performance.now();
  const work = async (writer: number): Promise<void> => {
    const state = begin(writer);
    for (let before = performance.now(); before < start + durationMs;) {
      await step(state);
      const after = performance.now();
      tookMs.push(after - before);
      before = after;
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => work(writer)));
  const seconds = (performance.now() - start) / 1000;
  return {
    perSecond: tookMs.length / seconds,
    p50Ms: quantile(tookMs, 0.5),
    p99Ms: quantile(tookMs, 0.99),
  };
}
