const FIRST_BYTES = 65_536;

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/**
 * Holds the beginning and the end of a stream of bytes in memory that is bounded, however much comes and in
 * however small pieces: a head that grows to half of the bound, then a ring of the other half.
 */
export class BoundedOutput {
  private readonly half: number;
  private head = Buffer.alloc(0);
  private headLength = 0;
  private ring = Buffer.alloc(0);
  private ringBytes = 0;

  constructor(maxBytes: number) {
    this.half = Math.ceil(maxBytes / 2);
  }

  append(chunk: Uint8Array): void {
    const taken = Math.min(chunk.length, this.half - this.headLength);
    if (taken > 0) this.appendHead(chunk.subarray(0, taken));
    if (taken < chunk.length) this.appendRing(chunk.subarray(taken));
  }

  /** How many bytes are gone. */
  get droppedBytes(): number {
    return Math.max(0, this.ringBytes - this.half);
  }

  /** The text of what was kept; in the place of what is gone stands a sentence. Cut characters are left out. */
  toText(): string {
    const head = this.head.subarray(0, this.headLength);
    if (this.droppedBytes === 0)
      return Buffer.concat([head, this.ring.subarray(0, this.ringBytes)]).toString();
    const at = this.ringBytes % this.half;
    const tail = Buffer.concat([this.ring.subarray(at), this.ring.subarray(0, at)]);
    let start = 0;
    while (start < 3 && isContinuation(tail[start])) start += 1;
    const beginning = new TextDecoder().decode(head, { stream: true });
    return `${beginning}\n[${this.droppedBytes} bytes were dropped here]\n${tail.subarray(start).toString()}`;
  }

  private appendHead(part: Uint8Array): void {
    const needed = this.headLength + part.length;
    if (needed > this.head.length) {
      const larger = Buffer.alloc(Math.min(this.half, Math.max(FIRST_BYTES, needed, this.head.length * 2)));
      this.head.copy(larger, 0, 0, this.headLength);
      this.head = larger;
    }
    this.head.set(part, this.headLength);
    this.headLength = needed;
  }

  private appendRing(part: Uint8Array): void {
    if (this.ring.length === 0) this.ring = Buffer.alloc(this.half);
    const kept = part.subarray(Math.max(0, part.length - this.half));
    const at = (this.ringBytes + part.length - kept.length) % this.half;
    const first = kept.subarray(0, this.half - at);
    this.ring.set(first, at);
    this.ring.set(kept.subarray(first.length), 0);
    this.ringBytes += part.length;
  }
}
