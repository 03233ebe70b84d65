import type { RecordedEvent } from '../events/recorded-event.js';
import { PortableRecord } from './portable-records.js';
import { openLine } from './sealed-line.js';
import type { FileLine } from './split-lines.js';
import { asRecorded } from './survey-file.js';

const pageEvents = 500;
const pageBytes = 4 * 1024 * 1024;

interface TreeEvent {
  readonly tree: number;
  readonly event: RecordedEvent;
}

/** The events of a surveyed file, tree after tree in the order of the file, without going back. */
export class TreeEvents {
  private readonly events: AsyncGenerator<TreeEvent, void>;
  private next: TreeEvent | null = null;

  /** `lines` up to where the survey found them whole; a file that changed in between throws. */
  constructor(lines: AsyncIterable<FileLine>, endLine: number) {
    this.events = eventsOf(lines, endLine);
  }

  /** Pages of the events of one tree; trees before it are passed over. */
  async *of(tree: number): AsyncGenerator<readonly RecordedEvent[], void> {
    let page: RecordedEvent[] = [];
    let sizeBytes = 0;
    for (let found = await this.peek(); found !== null && found.tree <= tree; found = await this.peek()) {
      this.next = null;
      if (found.tree < tree) continue;
      page.push(found.event);
      sizeBytes += found.event.data.length;
      if (page.length < pageEvents && sizeBytes < pageBytes) continue;
      yield page;
      page = [];
      sizeBytes = 0;
    }
    if (page.length > 0) yield page;
  }

  private async peek(): Promise<TreeEvent | null> {
    this.next ??= (await this.events.next()).value ?? null;
    return this.next;
  }
}

async function* eventsOf(lines: AsyncIterable<FileLine>, endLine: number): AsyncGenerator<TreeEvent, void> {
  let tree = -1;
  for await (const { number, text } of lines) {
    if (number >= endLine) return;
    const opened = openLine(text);
    if (!opened.ok) throw new Error(`Line ${number} of the file changed while it was read.`);
    const record = PortableRecord.parse(opened.record);
    if (record.record === 'tree') tree += 1;
    if (record.record === 'event') yield { tree, event: asRecorded(record) };
  }
}
