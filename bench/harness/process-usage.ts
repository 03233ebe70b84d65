import { readFile } from 'node:fs/promises';

/** What a process has taken so far, as Linux counts it. */
export interface ProcessUsage {
  /** User and system time of all its threads. */
  readonly cpuSeconds: number;
  /** Memory that is resident now. */
  readonly residentBytes: number;
}

// USER_HZ of Linux on every machine that Node runs on.
const ticksPerSecond = 100;

/** Null where there is no /proc, or no such process. */
export async function processUsage(pid: number): Promise<ProcessUsage | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    // The name in parentheses may hold anything; what follows is numbers.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user, system] = [Number(fields[11]), Number(fields[12])];
    const resident = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
    return { cpuSeconds: (user + system) / ticksPerSecond, residentBytes: resident * 1024 };
  } catch {
    return null;
  }
}
