import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { MARK_VARIABLE } from '../tools/kill-marked.js';

const GRACE_MS = 5_000;

/**
 * The one place where a browser's processes and files go away. It reads a pipe whose other end only the worker holds; the read ends
 * when the worker lets go or is gone, however it went. Chromium writes its titles over its children's environments, so
 * the groups of the marked processes are killed and not only these; the folder is removed twice, since the dying may write.
 */
const GUARD_SCRIPT = `
mark=$1; folder=$2
trap '' TERM INT HUP
read -r _
for round in 1 2; do
  for file in $(grep -l -F "${MARK_VARIABLE}=$mark" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}; pid=\${pid%/environ}
    kill -s KILL -- "-$pid"
    kill -KILL "$pid"
  done
  rm -rf -- "$folder"
  [ -e "$folder" ] && sleep 0.2
done
rm -rf -- "$folder"
`;

/** Watches over a browser of this process from before its start. */
export class ChromiumGuard {
  private constructor(private readonly child: ChildProcess) {}

  /** Resolves when the guard is on watch. `mark` is what the browser's environment will bear, `folder` all that it may write to. */
  static async start(mark: string, folder: string): Promise<ChromiumGuard> {
    const child = spawn('sh', ['-c', GUARD_SCRIPT, 'sh', mark, folder], {
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(child, 'spawn');
    child.stdin.on('error', () => undefined);
    return new ChromiumGuard(child);
  }

  /** Kills what is left of the browser and removes its folder. Resolves when nothing is left. */
  async finish(): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.stdin?.end();
    await Promise.race([gone, delay(GRACE_MS, undefined, { ref: false })]);
  }
}
