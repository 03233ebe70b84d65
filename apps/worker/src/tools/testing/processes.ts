import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const MOST_LOOKS = 400;
const PAUSE_MS = 20;

/** Says whether a process runs; one that is dead but not yet collected does not. */
async function isRunning(pid: number): Promise<boolean> {
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    return !['Z', 'X'].includes(status.slice(status.lastIndexOf(')') + 2)[0] ?? 'X');
  } catch {
    return false;
  }
}

/** Looks again and again until a claim holds; gives up loudly. */
export async function until(claim: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    if (await claim()) return;
    await delay(PAUSE_MS);
  }
  throw new Error('What was waited for did not come about.');
}

/** The processes whose pids a command wrote to files named `*.pid`. */
export async function writtenPids(folder: string): Promise<number[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.pid'));
  return Promise.all(names.map(async (name) => Number(await readFile(join(folder, name), 'utf8'))));
}

/** Those of some processes that run. */
export async function runningOf(pids: readonly number[]): Promise<number[]> {
  const verdicts = await Promise.all(pids.map(isRunning));
  return pids.filter((_, index) => verdicts[index]);
}

/**
 * Shell text that starts four processes and writes down their pids: an ordinary one, one in a session of its own, one that ignores the
 * request to end, and one in the group that bears no mark.
 */
export const STARTS_FOUR = [
  'sleep 300 & echo $! > a.pid',
  'setsid sleep 300 & echo $! > b.pid',
  '(trap "" TERM; sleep 300) & echo $! > c.pid',
  'env -i sleep 300 & echo $! > d.pid',
].join('; ');
