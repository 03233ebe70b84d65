/**
 * The worker's own view of its lease, on the monotonic clock of its process: it counts from before a renewal was sent, so it
 * ends before the database's view does, whatever the wall clocks say. Tells once each time the lease runs out.
 */
export class LeaseClock {
  readonly #onOver: () => void;
  #untilMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(onOver: () => void) {
    this.#onOver = onOver;
  }

  /** Whether the lease holds right now, also when a blocked process has not yet come to run its timers. */
  holds(): boolean {
    return performance.now() < this.#untilMs;
  }

  /** The lease was renewed. False, and nothing changes, when the news came after its own end. */
  keepUntil(untilMs: number): boolean {
    const restMs = untilMs - performance.now();
    if (restMs <= 0) {
      return false;
    }
    this.#untilMs = untilMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#onOver(), restMs);
    return true;
  }

  /** Ends the lease without telling. */
  end(): void {
    clearTimeout(this.#timer);
    this.#untilMs = 0;
  }
}
