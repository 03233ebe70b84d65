import { createHash, type Hash } from 'node:crypto';
import { storeLimits } from '../store/store-limits.js';
import type { PortableBlob, PortableFormat, PortableLostBlob } from './portable-records.js';

/** What came of a part: it stands where it may, nothing may stand there, or its blob is complete and is not what its hash says. */
export type PartVerdict = 'ok' | 'out_of_place' | 'altered';

interface OpenBlob {
  readonly hash: string;
  readonly parts: number;
  readonly sum: Hash;
  /** The line that its first part stands on. */
  readonly line: number;
  next: number;
}

/** Follows the blobs of one tree of a portable file without keeping their bytes. */
export class CarriedBlobs {
  private readonly whole = new Set<string>();
  private readonly lost = new Set<string>();
  private open: OpenBlob | null = null;
  /** Whole, and waiting for the event that names it. */
  private due: OpenBlob | null = null;

  /** Blobs that are whole. */
  get count(): number {
    return this.whole.size;
  }

  /** The line at which a blob begins that no event has named yet; null when every blob so far has its event. */
  get danglingLine(): number | null {
    return (this.open ?? this.due)?.line ?? null;
  }

  takePart(record: PortableBlob, line: number): PartVerdict {
    const { hash, part, parts } = record;
    this.open ??= { hash, parts, sum: createHash('sha256'), line, next: 0 };
    const { open } = this;
    const bytes = bytesOf(record);
    const isNext = open.hash === hash && open.parts === parts && open.next === part;
    if (this.due !== null || !isNext || bytes === null) return 'out_of_place';
    open.next += 1;
    open.sum.update(bytes);
    return open.next === parts ? this.close(open) : 'ok';
  }

  /** False when it cannot stand there. */
  takeLost({ hash }: PortableLostBlob): boolean {
    if (this.danglingLine !== null) return false;
    this.lost.add(hash);
    return true;
  }

  /** True when an event that names these blobs may stand here: behind a blob only the event that names it. */
  mayBeNamed(hashes: readonly string[]): boolean {
    if (this.open !== null || (this.due !== null && !hashes.includes(this.due.hash))) return false;
    this.due = null;
    return true;
  }

  /** What the file holds of a blob that an event names. The first format carried none. */
  standing(hash: string, format: PortableFormat): 'whole' | 'lost' | 'absent' {
    if (this.whole.has(hash)) return 'whole';
    return this.lost.has(hash) || format === 'offshoot-export-1' ? 'lost' : 'absent';
  }

  private close(open: OpenBlob): PartVerdict {
    [this.open, this.due] = [null, open];
    this.whole.add(open.hash);
    return open.sum.digest('hex') === open.hash ? 'ok' : 'altered';
  }
}

/** The bytes of a part, or null when they do not have the size of one. */
function bytesOf({ bytes, part, parts }: PortableBlob): Buffer | null {
  const decoded = Buffer.from(bytes, 'base64');
  const isLast = part === parts - 1;
  const fits = isLast
    ? decoded.length > 0 && decoded.length <= storeLimits.blobPartBytes
    : decoded.length === storeLimits.blobPartBytes;
  return fits ? decoded : null;
}
