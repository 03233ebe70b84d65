/** One figure of a run (spec 05 §9), printed as one JSON object a line. `ratio` is value divided by peerValue. */
export interface Measurement {
  readonly suite: string;
  readonly metric: string;
  readonly unit: string;
  readonly value: number;
  readonly peer?: string;
  readonly peerValue?: number;
  readonly ratio?: number;
  /** A bound on `value` in its unit. */
  readonly goal?: number;
  readonly met?: boolean;
}

/** What a figure is held to. A goal on a ratio is a figure of its own, of unit `x`. */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

export interface MeasurementInput {
  readonly suite: string;
  readonly metric: string;
  readonly unit: string;
  readonly value: number;
  readonly peer?: { readonly name: string; readonly value: number };
  readonly goal?: Goal;
}

/** Completes a figure with its ratio and whether its goal is met. A ratio to a peer of zero is left out. */
export function measurement({ suite, metric, unit, value, peer, goal }: MeasurementInput): Measurement {
  return {
    suite,
    metric,
    unit,
    value: rounded(value),
    ...(peer === undefined ? {} : { peer: peer.name, peerValue: rounded(peer.value) }),
    ...(peer === undefined || peer.value === 0 ? {} : { ratio: rounded(value / peer.value) }),
    ...(goal === undefined ? {} : { goal: boundOf(goal), met: isMet(value, goal) }),
  };
}

const boundOf = (goal: Goal): number => ('atMost' in goal ? goal.atMost : goal.atLeast);

const isMet = (value: number, goal: Goal): boolean =>
  'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;

/** Four significant digits: what a run on a shared machine can tell at best. */
const rounded = (value: number): number => Number(value.toPrecision(4));
