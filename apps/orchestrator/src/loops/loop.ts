import { setTimeout as pause } from 'node:timers/promises';

export interface LoopOptions {
  /** One round; true asks for the next one at once. */
  readonly round: () => Promise<boolean>;
  /** The rest between rounds when nothing wakes the loop. */
  readonly restMs: number;
  /** Hears of failed rounds; the loop goes on after a rest. */
  readonly onFault: (thrown: unknown) => void;
}

/** A loop that rests between rounds, can be woken, and ends when it is stopped: no round is under way after `stop`. */
export class Loop {
  private readonly stopping = new AbortController();
  private waking = new AbortController();
  private running: Promise<void> | null = null;

  constructor(private readonly options: LoopOptions) {}

  start(): void {
    this.running ??= this.run();
  }

  /** Starts the next round now, or right after the one under way. */
  wake(): void {
    this.waking.abort();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopping()) {
      this.waking = new AbortController();
      const goesOn = await this.roundSafely();
      if (goesOn || this.isStopping()) continue;
      await pause(this.options.restMs, undefined, { signal: this.waking.signal }).catch(() => undefined);
    }
  }

  // Asked through a method: the signal changes while a round is waited for.
  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async roundSafely(): Promise<boolean> {
    try {
      return await this.options.round();
    } catch (thrown) {
      this.options.onFault(thrown);
      return false;
    }
  }
}
