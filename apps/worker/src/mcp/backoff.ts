const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** When a server that failed is tried again: at once after the first fault of a good connection, then twice as late each time. */
export class Backoff {
  private failures = 0;
  private dueAtMs = 0;

  constructor(
    private readonly now: () => number = Date.now,
    private readonly chance: () => number = Math.random,
  ) {}

  /** Milliseconds until the next attempt is due. */
  get waitMs(): number {
    return Math.max(0, this.dueAtMs - this.now());
  }

  failed(): void {
    const ceilingMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.failures);
    this.failures += 1;
    // Between half and all of it, so that the workers of a cluster do not come back together.
    this.dueAtMs = this.now() + ceilingMs * (0.5 + this.chance() / 2);
  }

  succeeded(): void {
    this.failures = 0;
    this.dueAtMs = 0;
  }
}
