import { allocatedBytes } from '../harness/allocated-bytes.js';
import { cpuNanoseconds } from '../harness/cpu-time.js';
import { interleave } from '../harness/interleave.js';
import { type Measurement, measurement } from '../harness/measurement.js';
import { median } from '../harness/median.js';
import type { Suite, SuiteOptions } from '../harness/suite.js';
import {
  disagreements,
  gateMatcher,
  linearMatcher,
  type Matcher,
  picomatchMatcher,
  surfaceOf,
} from './matchers.js';
import { calledNames, gateWorkload, type Workload } from './workload.js';

const suite = 'gate';

/** The cost of one decision of the gate and of compiling it, beside what one would write instead. */
export const gateSuite: Suite = {
  name: suite,
  method:
    '500 declared tools (40 built-ins, 460 of 20 MCP servers) against a list of 1,000 entries; every declared name is called, one call in nine is ' +
    'of an undeclared name, and all matchers gave the same answers before anything was timed. Times are CPU time of the process, so that ' +
    'work of others on the same cores counts as little as it can; medians of interleaved rounds, the cost of the loop included. Bytes are growth of the heap ' +
    'between two forced collections. "Compile" reads the list and compiles it over the resolved surface, as at each turn boundary where the ' +
    'registry changed.',
  run: (options) => runGate(options),
};

async function runGate({ quick }: SuiteOptions): Promise<readonly Measurement[]> {
  const workload = gateWorkload();
  const surface = surfaceOf(workload.tools);
  const names = calledNames([...surface.declared.keys()]);
  const gate = gateMatcher(surface, workload.entries);
  const peers = [linearMatcher(workload), picomatchMatcher(workload)];
  const differing = disagreements([gate, ...peers], names);
  if (differing.length > 0) throw new Error(`The matchers disagree on ${differing.slice(0, 5).join(', ')}.`);
  return [
    ...(await decisionTimes(gate, peers, names, quick ? 3 : 21)),
    ...decisionBytes(gate, peers, names),
    ...(await compileTimes(workload, quick ? 3 : 41)),
  ];
}

async function decisionTimes(
  gate: Matcher,
  peers: readonly Matcher[],
  names: readonly string[],
  rounds: number,
): Promise<readonly Measurement[]> {
  const samples = await interleave(
    [
      { name: gate.name, sample: () => timePerDecision(gate, names, 4_000) },
      ...peers.map((peer) => ({ name: peer.name, sample: () => timePerDecision(peer, names, 4) })),
    ],
    { rounds },
  );
  const own = median(samples.get(gate.name) ?? []);
  return peers.map(({ name }) =>
    measurement({
      suite,
      metric: 'one decision',
      unit: 'ns',
      value: own,
      peer: { name, value: median(samples.get(name) ?? []) },
      goal: { atMost: 50 },
    }),
  );
}

function timePerDecision(matcher: Matcher, names: readonly string[], repeats: number): number {
  let permitted = 0;
  const spent = cpuNanoseconds(() => {
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      for (const name of names) if (matcher.permits(name)) permitted += 1;
    }
  });
  // Reading the count keeps the loop from being optimised away.
  if (permitted === 0) throw new Error(`${matcher.name} permits nothing.`);
  return spent / (repeats * names.length);
}

function decisionBytes(
  gate: Matcher,
  peers: readonly Matcher[],
  names: readonly string[],
): readonly Measurement[] {
  const bytesOf = (matcher: Matcher, count: number): number =>
    allocatedBytes((index) => void matcher.permits(names[index % names.length] ?? ''), count);
  const own = bytesOf(gate, 20_000);
  return peers.map((peer) =>
    measurement({
      suite,
      metric: 'allocated by one decision',
      unit: 'bytes',
      value: own,
      peer: { name: peer.name, value: bytesOf(peer, 10) },
    }),
  );
}

async function compileTimes(workload: Workload, rounds: number): Promise<readonly Measurement[]> {
  const surface = surfaceOf(workload.tools);
  const milliseconds = (work: () => void): number => cpuNanoseconds(work) / 1e6;
  const samples = await interleave(
    [
      { name: 'gate', sample: () => milliseconds(() => void gateMatcher(surface, workload.entries)) },
      { name: 'picomatch', sample: () => milliseconds(() => void picomatchMatcher(workload)) },
    ],
    { rounds, warmUps: 10 },
  );
  return [
    measurement({
      suite,
      metric: 'compile',
      unit: 'ms',
      value: median(samples.get('gate') ?? []),
      peer: { name: 'picomatch', value: median(samples.get('picomatch') ?? []) },
      goal: { atMost: 5 },
    }),
  ];
}
