import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { parseStartRefusal } from '#platform';
import { countDeath, respawnDelayMs, type Backoff } from './backoff.js';
import type { ChildListener, ChildRole } from './child-event.js';

/** What is started, and how it is kept running. */
export interface ChildPlan {
  readonly role: ChildRole;
  readonly index: number;
  /** Absolute path of the script. */
  readonly script: string;
  /** Asked anew before each start. */
  readonly args?: () => readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly backoff: Backoff;
  readonly output: 'inherit' | 'ignore';
  readonly onChild: ChildListener;
  readonly onMessage?: (message: unknown) => void;
  /** With this the child's standard output is read by us, line by line is up to the reader. */
  readonly onOutput?: (text: string) => void;
}

/**
 * One child that is started again whenever it dies, until it is stopped. The child has a process group of its
 * own, so that ^C in a terminal reaches the supervisor alone, and an IPC channel whose end tells it that the
 * supervisor is gone.
 */
export class SupervisedChild {
  readonly #plan: ChildPlan;
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #deaths = 0;
  #isStopping = false;
  #refusal: string | undefined;

  constructor(plan: ChildPlan) {
    this.#plan = plan;
  }

  /** Process id while a child runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Deaths in a row. */
  get deaths(): number {
    return this.#deaths;
  }

  /** Why the last child that told so refused to start. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  start(): void {
    const { script, args, env, role, index, onChild } = this.#plan;
    const child = fork(script, args?.() ?? [], { env, detached: true, execArgv: [], stdio: this.#stdio() });
    const startedAt = performance.now();
    this.#child = child;
    this.#listen(child);
    child.once('error', () => this.#onExit(child, startedAt, null, null));
    child.once('exit', (code, signal) => this.#onExit(child, startedAt, code, signal));
    if (child.pid !== undefined) onChild({ role, index, pid: child.pid, kind: 'started' });
  }

  /** Asks the child to end, waits `limitMs`, then ends it. Answers when it is gone; no respawn follows. */
  async stop(limitMs: number): Promise<void> {
    const child = this.#end();
    if (child === undefined) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    await gone;
    clearTimeout(timer);
  }

  /** Ends the child at once. */
  async kill(): Promise<void> {
    await this.stop(0);
  }

  #end(): ChildProcess | undefined {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    return this.#child;
  }

  #stdio(): ['ignore', 'pipe' | 'ignore' | 2, 2 | 'ignore', 'ipc'] {
    // The log of a child belongs on our standard error; our standard output is for answers.
    const output = this.#plan.output === 'inherit' ? 2 : 'ignore';
    return ['ignore', this.#plan.onOutput === undefined ? output : 'pipe', output, 'ipc'];
  }

  #listen(child: ChildProcess): void {
    const { onMessage, onOutput } = this.#plan;
    child.on('message', (message) => {
      this.#refusal = parseStartRefusal(message) ?? this.#refusal;
      onMessage?.(message);
    });
    if (onOutput !== undefined) child.stdout?.setEncoding('utf8').on('data', onOutput);
  }

  #onExit(child: ChildProcess, startedAt: number, code: number | null, signal: string | null): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    const { backoff, role, index, onChild } = this.#plan;
    const end = { role, index, pid: child.pid ?? 0, kind: 'exited', code, signal } as const;
    if (this.#isStopping) {
      onChild(end);
      return;
    }
    this.#deaths = countDeath(backoff, this.#deaths, performance.now() - startedAt);
    const respawnInMs = respawnDelayMs(backoff, this.#deaths);
    this.#timer = setTimeout(() => this.start(), respawnInMs);
    onChild({ ...end, respawnInMs });
  }
}
