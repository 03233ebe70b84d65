/**
 * Tells readers of the log that there may be something to read. Only a hint: a reader that never hears one still reads
 * at its poll interval, and what it reads comes from the log alone.
 */
export abstract class WakeUp {
  /** Changes with every wake-up. Take it before reading, hand it to `wait` after. */
  abstract readonly count: number;

  /** Resolves at the first wake-up after `seen`, at once when that was already, after `timeoutMs`, or on abort. */
  abstract wait(seen: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
}

/** Wake-ups within one process; all readers of a process share one. */
export class LocalWakeUp extends WakeUp {
  readonly #sleepers = new Set<() => void>();
  #count = 0;

  override get count(): number {
    return this.#count;
  }

  /** Wakes everybody who waits. */
  wake(): void {
    this.#count += 1;
    for (const wakeSleeper of [...this.#sleepers]) wakeSleeper();
  }

  override wait(seen: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || seen !== this.#count) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#sleepers.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      signal.addEventListener('abort', done);
      this.#sleepers.add(done);
    });
  }
}
