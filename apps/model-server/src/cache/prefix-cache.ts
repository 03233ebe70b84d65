import { commonPrefixLength } from './common-prefix-length.js';

/**
 * Remembers request bodies of one model and tells how much of a new one was seen before.
 *
 * Bodies are kept sorted, because the body that shares most with a new one is then one of its two neighbours: a look-up
 * costs a binary search, not a comparison with all. Bounded by count and bytes; the oldest go first.
 */
export class PrefixCache {
  private readonly sorted: Buffer[] = [];
  private readonly arrivals = new Set<Buffer>();
  private heldBytes = 0;

  constructor(private readonly limits: { readonly bodies: number; readonly bytes: number }) {}

  /** Bytes of `body` that some earlier body began with, then remembers `body`. */
  observe(body: Buffer): number {
    const place = this.placeOf(body);
    const after = this.sorted[place];
    const before = this.sorted[place - 1];
    const shared = Math.max(
      after === undefined ? 0 : commonPrefixLength(body, after),
      before === undefined ? 0 : commonPrefixLength(body, before),
    );
    if (after !== undefined && after.equals(body)) this.renew(after);
    else this.insert(place, body);
    return shared;
  }

  get size(): number {
    return this.sorted.length;
  }

  private placeOf(body: Buffer): number {
    let low = 0;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = this.sorted[middle];
      if (at !== undefined && at.compare(body) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private renew(body: Buffer): void {
    this.arrivals.delete(body);
    this.arrivals.add(body);
  }

  private insert(place: number, body: Buffer): void {
    this.sorted.splice(place, 0, body);
    this.arrivals.add(body);
    this.heldBytes += body.length;
    for (const oldest of this.arrivals) {
      if (this.sorted.length <= this.limits.bodies && this.heldBytes <= this.limits.bytes) break;
      this.arrivals.delete(oldest);
      this.sorted.splice(this.placeOf(oldest), 1);
      this.heldBytes -= oldest.length;
    }
  }
}
