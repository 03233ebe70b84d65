import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { LocalPolicyFiles } from '#agents';
import { parseProfileName, type Profile, type ProfileName, type Result } from '#policy';
import { type Expected, judgeResult, type Violation } from './judge-result.js';
import { mutated, padded, reencoded } from './mutate-bytes.js';
import { anyLayout, isReadable, placeFile } from './place-file.js';
import { insideTool, makePlayground, type Playground, profileNames, swappedNames } from './playground.js';
import { profileText } from './profile-text.js';
import { type Random, randomFrom } from './random.js';
import { oracleProfile } from './strict-oracle.js';

export interface FuzzOptions {
  readonly runs: number;
  readonly seed: number;
  /** The part of the runs, 0 to 1, that read a name which another process swaps; 0.15 unless told. */
  readonly swapShare?: number;
  /** The compiled swap loop, for a process of its own. */
  readonly swapScript: string;
}

/** Counts by what was tried, and every broken promise with the bytes that show it, in base64. */
export interface FuzzReport {
  readonly seed: number;
  readonly runs: number;
  readonly accepted: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly swapsAccepted: number;
  readonly swapsRefused: Readonly<Record<string, number>>;
  readonly violations: readonly (Violation & { readonly run: number; readonly bytes: string })[];
}

interface Attempt {
  readonly read: () => Promise<Result<Profile>>;
  readonly expected: Expected;
  readonly bytes: Buffer;
  readonly isSwap: boolean;
}

const refusal: Expected = { accepts: null, must: false };
const swapExpected: Expected = {
  accepts: { tools: [insideTool], promptHint: null, description: null },
  must: false,
};
const files = new LocalPolicyFiles();

/** Reads as many profile files as told, each changed, linked or swapped by chance, and judges every answer. */
export async function fuzzProfiles({
  runs,
  seed,
  swapScript,
  swapShare = 0.15,
}: FuzzOptions): Promise<FuzzReport> {
  const playground = await makePlayground();
  const swapper = swapShare > 0 ? await startSwapper(playground, swapScript, seed) : null;
  try {
    return await runAll(playground, { runs, seed, swapShare });
  } finally {
    if (swapper !== null) await stop(swapper);
    await playground.remove();
  }
}

async function startSwapper(
  { swapped, outside, fifo }: Playground,
  swapScript: string,
  seed: number,
): Promise<ChildProcess> {
  const swapper = fork(swapScript, [swapped, outside, fifo, String(seed)], { execArgv: [] });
  await once(swapper, 'message');
  return swapper;
}

async function stop(swapper: ChildProcess): Promise<void> {
  const isOver = swapper.exitCode !== null || swapper.signalCode !== null;
  if (isOver) throw new Error('The swapping process ended by itself: its swaps were not tried.');
  swapper.kill('SIGKILL');
  await once(swapper, 'exit');
}

async function runAll(
  playground: Playground,
  { runs, seed, swapShare }: Required<Omit<FuzzOptions, 'swapScript'>>,
): Promise<FuzzReport> {
  const random = randomFrom(seed);
  const tally = { accepted: 0, refused: {}, swapsAccepted: 0, swapsRefused: {} };
  const violations: FuzzReport['violations'][number][] = [];
  for (let run = 0; run < runs; run += 1) {
    const attempt = random.chance(swapShare)
      ? reading(playground.swapped, random.pick(swappedNames), swapExpected, true)
      : prepare(playground, random);
    const violation = await judge(attempt, playground, tally);
    if (violation !== null) violations.push({ ...violation, run, bytes: attempt.bytes.toString('base64') });
  }
  return { seed, runs, ...tally, violations };
}

async function judge(attempt: Attempt, playground: Playground, tally: Tally): Promise<Violation | null> {
  try {
    const result = await attempt.read();
    count(tally, result, attempt.isSwap);
    return judgeResult(result, attempt.expected, playground);
  } catch (error) {
    return { kind: 'untyped', what: String(error) };
  }
}

interface Tally {
  accepted: number;
  swapsAccepted: number;
  refused: Record<string, number>;
  swapsRefused: Record<string, number>;
}

function count(tally: Tally, result: Result<Profile>, isSwap: boolean): void {
  if (result.ok) {
    if (isSwap) tally.swapsAccepted += 1;
    else tally.accepted += 1;
    return;
  }
  const reasons = isSwap ? tally.swapsRefused : tally.refused;
  const reason = result.rejection.reason ?? 'none';
  reasons[reason] = (reasons[reason] ?? 0) + 1;
}

function prepare(playground: Playground, random: Random): Attempt {
  const name = random.pick(profileNames);
  if (random.chance(0.02)) return reading(random.pick(playground.linkedOut), name, refusal, false);
  const layout = anyLayout(random);
  const { bytes, isSound } = content(name, random);
  placeFile(playground, { name, bytes, layout }, random);
  const expected = isReadable(layout) ? { accepts: oracleProfile(bytes, name), must: isSound } : refusal;
  return { ...reading(playground.project, name, expected, false), bytes };
}

function content(name: string, random: Random): { readonly bytes: Buffer; readonly isSound: boolean } {
  const text = profileText(name, random);
  const bytes = Buffer.from(text);
  if (random.chance(0.1)) return { bytes, isSound: true };
  if (random.chance(0.1)) return { bytes: reencoded(text, random), isSound: false };
  if (random.chance(0.02)) return { bytes: padded(text, random), isSound: false };
  return { bytes: mutated(bytes, random), isSound: false };
}

function reading(projectRoot: string, name: string, expected: Expected, isSwap: boolean): Attempt {
  const from = { projectRoot, safeMode: false, bareMode: false };
  return {
    read: () => files.readProfile(from, nameOf(name)),
    expected,
    bytes: Buffer.alloc(0),
    isSwap,
  };
}

function nameOf(text: string): ProfileName {
  const name = parseProfileName(text);
  if (!name.ok) throw new Error(name.rejection.message);
  return name.value;
}
