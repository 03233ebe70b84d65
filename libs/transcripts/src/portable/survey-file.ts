import { type PortableFormat, PortableRecord, type PortableTree } from './portable-records.js';
import { openLine } from './sealed-line.js';
import type { FileLine } from './split-lines.js';
import { type SurveyedTree, TreeSurvey } from './tree-survey.js';

/** Where a file ends to be what was written: the first line that is not, or the line behind the last one. */
export interface Tear {
  readonly line: number;
  readonly reason: 'cut' | 'altered' | 'not_a_record' | 'out_of_place' | 'ended_early';
}

export interface FileSurvey {
  readonly logId: string | null;
  readonly trees: readonly SurveyedTree[];
  /** Trees that the first line announced. */
  readonly announcedTrees: number;
  readonly events: number;
  readonly tear: Tear | null;
  /** Lines before this one count: that of the tear, or of a blob whose event the tear took. Infinity for a whole file. */
  readonly endLine: number;
}

/**
 * Reads a portable file once without keeping its events: checks every seal, every chain, every blob and every count, and says what is
 * there whole, what is torn and what cannot be taken. Memory is bounded by one line and the lists of agents and blobs.
 */
export async function surveyFile(lines: AsyncIterable<FileLine>): Promise<FileSurvey> {
  const surveyor = new Surveyor();
  for await (const line of lines) {
    surveyor.read(line);
    if (surveyor.isOver) break;
  }
  return surveyor.result();
}

interface EndCounts {
  readonly trees: number;
  readonly events: number;
  readonly blobs?: number;
}

class Surveyor {
  private readonly trees: TreeSurvey[] = [];
  private format: PortableFormat = 'offshoot-export-1';
  private logId: string | null = null;
  private announcedTrees = 0;
  private events = 0;
  private lastLine = 0;
  private tear: Tear | null = null;
  private hasEnded = false;

  /** True when nothing that follows can count any more. */
  get isOver(): boolean {
    return this.tear !== null;
  }

  read({ number, text }: FileLine): void {
    this.lastLine = number;
    const reason = this.faultOf(text);
    if (reason !== null) this.tear = { line: number, reason };
  }

  result(): FileSurvey {
    const { logId, announcedTrees, events } = this;
    const tear =
      this.tear ?? (this.hasEnded ? null : { line: this.lastLine + 1, reason: 'ended_early' as const });
    const endLine = tear === null ? Infinity : (this.trees.at(-1)?.danglingLine ?? tear.line);
    return { logId, trees: this.trees.map(({ result }) => result), announcedTrees, events, tear, endLine };
  }

  private faultOf(text: string): Tear['reason'] | null {
    const opened = openLine(text);
    if (!opened.ok) return opened.fault;
    const parsed = PortableRecord.safeParse(opened.record);
    if (!parsed.success) return 'not_a_record';
    return this.mayStand(parsed.data) && this.take(parsed.data) ? null : 'out_of_place';
  }

  /** The first record opens the file, the last one closes it. */
  private mayStand({ record }: PortableRecord): boolean {
    return !this.hasEnded && (this.logId === null) === (record === 'export');
  }

  /** False when the record contradicts what stands before it. */
  private take(record: PortableRecord): boolean {
    switch (record.record) {
      case 'export':
        [this.logId, this.announcedTrees] = [record.logId, record.trees];
        this.format = record.format;
        return true;
      case 'tree':
        return this.takeTree(record);
      case 'end':
        this.hasEnded = true;
        return this.isAllThere(record);
      default:
        return this.takeInTree(record, this.trees.at(-1));
    }
  }

  private takeTree(tree: PortableTree): boolean {
    if (!this.isLastComplete()) return false;
    this.trees.push(new TreeSurvey(tree, this.format));
    return true;
  }

  private takeInTree(
    record: Exclude<PortableRecord, { record: 'export' | 'tree' | 'end' }>,
    tree: TreeSurvey | undefined,
  ): boolean {
    if (tree === undefined) return false;
    switch (record.record) {
      case 'event':
        if (!tree.takeEvent(record)) return false;
        this.events += 1;
        return true;
      case 'agent_bootstrap':
        return tree.takeBootstrap(record.agentId);
      case 'blob':
        return tree.takeBlob(record, this.lastLine);
      case 'lost_blob':
        return tree.takeLostBlob(record);
    }
  }

  private isAllThere(end: EndCounts): boolean {
    const blobs = this.trees.reduce((sum, { blobCount }) => sum + blobCount, 0);
    return (
      this.isLastComplete() &&
      end.trees === this.trees.length &&
      end.events === this.events &&
      (end.blobs ?? 0) === blobs
    );
  }

  private isLastComplete(): boolean {
    return this.trees.at(-1)?.isComplete ?? true;
  }
}
