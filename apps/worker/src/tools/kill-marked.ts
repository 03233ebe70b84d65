import { readdir, readFile } from 'node:fs/promises';

/** The variable by which a call's processes are known even when they left its process group. */
export const MARK_VARIABLE = 'TOOL_CALL_MARK';

const MOST_PASSES = 5;

async function bearsMark(pid: string, mark: string): Promise<boolean> {
  try {
    return (await readFile(`/proc/${pid}/environ`)).includes(`${MARK_VARIABLE}=${mark}\0`);
  } catch {
    // Ended meanwhile, or somebody else's.
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Ended meanwhile.
  }
}

async function killOnce(mark: string): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const verdicts = await Promise.all(pids.map((pid) => bearsMark(pid, mark)));
  const marked = pids.filter((_, index) => verdicts[index]).map(Number);
  marked.forEach(kill);
  return marked.length;
}

/**
 * Kills every process whose environment bears the mark, until a pass finds none: what started a session of its
 * own is out of its group, and what forks while it is being killed is found by the next pass. Does nothing where
 * there is no /proc.
 */
export async function killMarked(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  for (let pass = 0; pass < MOST_PASSES; pass += 1) if ((await killOnce(mark)) === 0) return;
}
