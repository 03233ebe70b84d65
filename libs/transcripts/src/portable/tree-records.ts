import type { SoundEvent } from '../events/recorded-event.js';
import type { IdempotencyClaim } from '../store/transcript-store.js';
import { PortableRecord } from './portable-records.js';
import { openLine } from './sealed-line.js';
import type { FileLine } from './split-lines.js';
import { asRecorded } from './tree-survey.js';

const pageRecords = 500;
const pageBytes = 4 * 1024 * 1024;

/** An event of a file with the key that its command claimed. */
export interface FileEvent {
  readonly kind: 'event';
  readonly event: SoundEvent;
  readonly claim: IdempotencyClaim | null;
}

/** A part of a blob. The survey found all parts of it whole. */
export interface FileBlobPart {
  readonly kind: 'blob';
  readonly hash: string;
  readonly part: number;
  readonly bytes: Uint8Array;
}

export type FileRecord = FileEvent | FileBlobPart;

interface TreeRecord {
  readonly tree: number;
  readonly record: FileRecord;
}

/** The events and blobs of a surveyed file, tree after tree in the order of the file, without going back. */
export class TreeRecords {
  private readonly records: AsyncGenerator<TreeRecord, void>;
  private next: TreeRecord | null = null;

  /** `lines` up to where the survey found them whole; a file that changed in between throws. */
  constructor(lines: AsyncIterable<FileLine>, endLine: number) {
    this.records = recordsOf(lines, endLine);
  }

  /** Pages of the records of one tree; trees before it are passed over. */
  async *of(tree: number): AsyncGenerator<readonly FileRecord[], void> {
    let page: FileRecord[] = [];
    let sizeBytes = 0;
    for (let found = await this.peek(); found !== null && found.tree <= tree; found = await this.peek()) {
      this.next = null;
      if (found.tree < tree) continue;
      page.push(found.record);
      sizeBytes += sizeOf(found.record);
      if (page.length < pageRecords && sizeBytes < pageBytes) continue;
      yield page;
      page = [];
      sizeBytes = 0;
    }
    if (page.length > 0) yield page;
  }

  private async peek(): Promise<TreeRecord | null> {
    this.next ??= (await this.records.next()).value ?? null;
    return this.next;
  }
}

const sizeOf = (record: FileRecord): number =>
  record.kind === 'event' ? record.event.data.length : record.bytes.length;

async function* recordsOf(lines: AsyncIterable<FileLine>, endLine: number): AsyncGenerator<TreeRecord, void> {
  let tree = -1;
  for await (const { number, text } of lines) {
    if (number >= endLine) return;
    const opened = openLine(text);
    if (!opened.ok) throw new Error(`Line ${number} of the file changed while it was read.`);
    const found = PortableRecord.parse(opened.record);
    if (found.record === 'tree') tree += 1;
    const record = fileRecord(found);
    if (record !== null) yield { tree, record };
  }
}

function fileRecord(record: PortableRecord): FileRecord | null {
  if (record.record === 'event')
    return { kind: 'event', event: asRecorded(record), claim: record.command ?? null };
  if (record.record !== 'blob') return null;
  const { hash, part, bytes } = record;
  return { kind: 'blob', hash, part, bytes: Buffer.from(bytes, 'base64') };
}
