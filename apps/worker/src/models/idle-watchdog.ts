/**
 * Aborts a stream that stays silent for too long: the client's own timeout ends with the response headers. One per
 * request; its signal also follows the caller's. `stop` must be called whatever happens.
 */
export class IdleWatchdog {
  readonly #caller: AbortSignal;
  readonly #controller = new AbortController();
  readonly #follow = () => this.#controller.abort();
  #timer: NodeJS.Timeout | null = null;
  #isExpired = false;

  constructor(caller: AbortSignal) {
    this.#caller = caller;
    if (caller.aborted) this.#controller.abort();
    else caller.addEventListener('abort', this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True once silence ended the stream, and not the caller. */
  get isExpired(): boolean {
    return this.#isExpired;
  }

  /** Something was heard: the next sound is due within `idleMs`. */
  touch(idleMs: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isExpired = true;
      this.#controller.abort();
    }, idleMs);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#caller.removeEventListener('abort', this.#follow);
  }
}
