/**
 * Coalesces what is submitted while a commit is under way into the next one, so that concurrent appends of a process
 * share a transaction and a round trip. Waiting → in flight → settled; at most `lanes` batches are in flight. A batch
 * that fails as a whole is committed again one by one, so that each append fails alone.
 */
export interface GroupCommitOptions<Item, Result> {
  /** Batches in flight at once. */
  readonly lanes: number;
  /** Most items of one batch. */
  readonly maxItems: number;
  /** Most bytes of one batch; an item over it goes alone. */
  readonly maxBytes: number;
  readonly sizeBytes: (item: Item) => number;
  /** Two items of one key never share a batch; the later one waits. */
  readonly key: (item: Item) => string;
  /** Answers one result an item, in order. */
  readonly commit: (batch: readonly Item[]) => Promise<readonly Result[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (cause: unknown) => void;
}

export class GroupCommit<Item, Result> {
  readonly #options: GroupCommitOptions<Item, Result>;
  readonly #idle: (() => void)[] = [];
  #waiting: Waiting<Item, Result>[] = [];
  #inFlight = 0;
  #isScheduled = false;

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.#options = options;
  }

  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves once everything submitted so far is settled. */
  async drained(): Promise<void> {
    if (this.#inFlight === 0 && this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0 || this.#inFlight >= this.#options.lanes) return;
    this.#isScheduled = true;
    // One turn of the event loop: whoever was woken by the last batch gets into the next one.
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    const batch = this.#take();
    this.#inFlight += 1;
    this.#schedule();
    await this.#settle(batch);
    this.#inFlight -= 1;
    this.#schedule();
    if (this.#inFlight === 0 && this.#waiting.length === 0)
      for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.commit(batch.map(({ item }) => item));
      results.forEach((result, index) => batch[index]?.resolve(result));
    } catch (error) {
      const [only] = batch;
      if (batch.length === 1) only?.reject(error);
      else for (const waiting of batch) await this.#settle([waiting]);
    }
  }

  #take(): readonly Waiting<Item, Result>[] {
    const { lanes, maxBytes, sizeBytes, key } = this.#options;
    // Shared out over the lanes that are free: the database works on one part while the next one is being written down.
    const share = Math.ceil(this.#waiting.length / (lanes - this.#inFlight));
    const maxItems = Math.min(this.#options.maxItems, share);
    const batch: Waiting<Item, Result>[] = [];
    const later: Waiting<Item, Result>[] = [];
    const keys = new Set<string>();
    let total = 0;
    for (const waiting of this.#waiting) {
      const size = sizeBytes(waiting.item);
      const fits = batch.length === 0 || (batch.length < maxItems && total + size <= maxBytes);
      if (!fits || keys.has(key(waiting.item))) {
        later.push(waiting);
        continue;
      }
      keys.add(key(waiting.item));
      batch.push(waiting);
      total += size;
    }
    this.#waiting = later;
    return batch;
  }
}
