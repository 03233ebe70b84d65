import { firstCodePoints } from '../tools/output-cap.js';

const MOST_LINES = 500;
const LONGEST_LINE = 1_000;

/** The last lines that a page produced, numbered from 1. Reading takes nothing out: others read them too. */
export class LineBuffer {
  private readonly lines: string[] = [];
  private count = 0;

  add(line: string): void {
    this.count += 1;
    const oneLine = firstCodePoints(line.slice(0, 2 * LONGEST_LINE).replaceAll(/\s+/g, ' '), LONGEST_LINE);
    this.lines.push(`#${this.count} ${oneLine}`);
    if (this.lines.length > MOST_LINES) this.lines.shift();
  }

  /** The last `most` lines, oldest first, behind a line that says how many came before them. */
  last(most: number): string {
    const shown = this.lines.slice(-most);
    const hidden = this.count - shown.length;
    return [...(hidden > 0 ? [`[${hidden} earlier]`] : []), ...shown].join('\n');
  }
}
