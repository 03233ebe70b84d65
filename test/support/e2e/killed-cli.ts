import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const main = join(import.meta.dirname, '..', '..', '..', 'dist/apps/cli/src/main.js');

/** A call of the built command line that is meant to be killed, with the program that it starts for its work. */
export class KilledCli {
  private constructor(private readonly child: ChildProcess) {}

  static start(args: readonly string[], env: Readonly<Record<string, string>>): KilledCli {
    const { DATABASE_URL: _url, REDIS_URL: _redis, NODE_OPTIONS: _options, ...rest } = process.env;
    const child = spawn(process.execPath, [main, ...args], { env: { ...rest, ...env }, stdio: 'ignore' });
    return new KilledCli(child);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null;
  }

  /** Kills both at once, without a chance to clean up. */
  async kill(): Promise<void> {
    const pid = this.child.pid ?? 0;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    const ended = once(this.child, 'exit');
    for (const child of children.split(' ').filter((text) => text !== ''))
      process.kill(Number(child), 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    await ended;
  }
}
