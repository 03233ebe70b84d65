import { build } from 'esbuild';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { eventually } from '../../queue/testing/eventually.js';
import type { HolderOrders } from './presence-holder.js';

/** The worker process of the presence specs, bundled from the sources so that no build is needed. */
export class HolderProgram {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  static async build(): Promise<HolderProgram> {
    // Inside the tree, so that the packages it leaves out are found.
    const file = join(
      import.meta.dirname,
      '../../../../../dist/.test',
      `presence-holder-${randomUUID()}.mjs`,
    );
    await build({
      entryPoints: [join(import.meta.dirname, 'presence-holder.ts')],
      outfile: file,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
    return new HolderProgram(file);
  }

  /** Starts a worker process and waits until it holds its presence. */
  async start(databaseUrl: string, more: Partial<HolderOrders> = {}): Promise<HolderProcess> {
    const orders: HolderOrders = { databaseUrl, workerId: randomUUID(), skewMs: 0, ...more };
    const holder = new HolderProcess(orders.workerId, spawnHolder(this.#file, orders));
    await holder.heard('started');
    return holder;
  }

  async remove(): Promise<void> {
    await rm(this.#file, { force: true });
  }
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

function spawnHolder(file: string, orders: HolderOrders): Child {
  return spawn(process.execPath, [file, JSON.stringify(orders)], { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** One worker process; it prints what happens to it, and does what it is told by name. */
export class HolderProcess {
  readonly workerId: string;
  readonly #child: Child;
  #said = '';

  constructor(workerId: string, child: Child) {
    this.workerId = workerId;
    this.#child = child;
    child.stdin.on('error', () => undefined);
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
  }

  get said(): readonly string[] {
    return this.#said.split('\n').filter((line) => line !== '');
  }

  async heard(line: string, forMs?: number): Promise<void> {
    await eventually(
      () => this.said,
      (lines) => lines.includes(line),
      forMs,
    );
  }

  tell(command: 'sleep' | 'stall' | 'block' | 'stop'): void {
    this.#child.stdin.write(`${command}\n`);
  }

  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  /** Ends it whatever its state. */
  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
      return;
    }
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.signal('SIGKILL');
    await ended;
  }
}
