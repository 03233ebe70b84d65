import { readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../errors/error-code.js';

/**
 * Whether a process runs. A process that has ended but was never collected by its parent (a launcher that
 * was killed, a container without an init) counts as gone.
 */
export async function isRunning(pid: number): Promise<boolean> {
  return canSignal(pid) && !(await isZombie(pid));
}

/** Waits until the process is gone; false when it still runs after `timeoutMs`. */
export async function waitForExit(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (await isRunning(pid)) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/** The working directory of a process where the system tells it, else undefined. */
export async function workingDirectory(pid: number): Promise<string | undefined> {
  return readlink(`/proc/${pid}/cwd`).catch(() => undefined);
}

/** Sends a signal; a process that has already gone is no error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process exists even if we may not signal it.
    return errorCode(error) === 'EPERM';
  }
}

async function isZombie(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name in parentheses may itself hold spaces and parentheses; the state follows the last one.
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
}
