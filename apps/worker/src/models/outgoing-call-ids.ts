/** Ids that every endpoint of a protocol takes back; `call_<number>` must be one. */
export const OPENAI_CALL_ID = /^[\w.:-]{1,40}$/;
export const ANTHROPIC_CALL_ID = /^[\w-]{1,64}$/;

/**
 * Gives each tool call of a request an id of its own (L03). A sendable id that was not seen before is kept, any other is
 * renamed, so that an id depends on nothing but the calls before it and a longer history never changes an earlier one.
 *
 * Results find their call by the id it was recorded with; where one id names several calls of a batch, results are
 * taken in the order of the calls. In a whole history no call is left open behind its batch.
 */
export class OutgoingCallIds {
  readonly #used = new Set<string>();
  /** Outgoing ids still without a result, by recorded id. */
  readonly #open = new Map<string, string[]>();
  #calls = 0;

  constructor(private readonly sendable: RegExp) {}

  forCall(id: string): string {
    this.#calls += 1;
    const outgoing = this.#unused(id);
    this.#used.add(outgoing);
    const waiting = this.#open.get(id);
    if (waiting === undefined) this.#open.set(id, [outgoing]);
    else waiting.push(outgoing);
    return outgoing;
  }

  /** Null when no call waits for this result. */
  forResult(callId: string): string | null {
    return this.#open.get(callId)?.shift() ?? null;
  }

  #unused(id: string): string {
    if (this.sendable.test(id) && !this.#used.has(id)) return id;
    const renamed = `call_${this.#calls}`;
    let candidate = renamed;
    for (let n = 2; this.#used.has(candidate); n += 1) candidate = `${renamed}_${n}`;
    return candidate;
  }
}
