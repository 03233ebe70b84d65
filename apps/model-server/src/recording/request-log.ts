/** How a recorded request ended: null while it is being answered. */
export type RequestEnd = 'close' | 'hang' | 'cut' | 'client-gone' | null;

/** One request as it came in. `status` is null until something was answered. */
export interface RecordedRequest {
  readonly n: number;
  readonly at: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Requests that were being answered when it came, itself included. */
  readonly atOnce: number;
  status: number | null;
  end: RequestEnd;
}

/** The last requests, numbered from 1 without gaps; bounded by count and bytes, the oldest go first. */
export class RequestLog {
  private readonly kept = new Map<number, RecordedRequest>();
  private heldBytes = 0;
  private last = 0;
  private underWay = 0;

  constructor(private readonly limits: { readonly requests: number; readonly bytes: number }) {}

  add(arrival: Pick<RecordedRequest, 'at' | 'path' | 'headers' | 'body'>): RecordedRequest {
    this.last += 1;
    this.underWay += 1;
    const recorded: RecordedRequest = {
      ...arrival,
      n: this.last,
      atOnce: this.underWay,
      status: null,
      end: null,
    };
    this.kept.set(recorded.n, recorded);
    this.heldBytes += recorded.body.length;
    for (const [n, { body }] of this.kept) {
      if (this.kept.size <= this.limits.requests && this.heldBytes <= this.limits.bytes) break;
      this.kept.delete(n);
      this.heldBytes -= body.length;
    }
    return recorded;
  }

  /** The answer to a request is over, however it went. */
  settle(recorded: RecordedRequest, status: number | null): void {
    this.underWay -= 1;
    recorded.status = status;
  }

  find(n: number): RecordedRequest | null {
    return this.kept.get(n) ?? null;
  }

  /** At most `limit` requests with a number above `n`, oldest first. */
  after(n: number, limit: number): readonly RecordedRequest[] {
    const found: RecordedRequest[] = [];
    for (const recorded of this.kept.values()) {
      if (found.length >= limit) break;
      if (recorded.n > n) found.push(recorded);
    }
    return found;
  }

  /** Forgets the requests; numbers go on, so that a reader's cursor stays good. */
  clear(): void {
    this.kept.clear();
    this.heldBytes = 0;
  }

  get lastNumber(): number {
    return this.last;
  }
}
