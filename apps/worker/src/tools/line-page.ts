import { countCodePoints, firstCodePoints } from './output-cap.js';

/** The lines that were asked for, as far as they fit. `next` is the line to go on with, absent at the end of the file. */
export interface Page {
  readonly text: string;
  readonly next?: number;
  /** The first line alone was longer than a page; what follows its head is left out. */
  readonly isLineCut: boolean;
}

/** What is asked of a file: `limit` lines from line `offset` (1 is the first), at most `budget` code points. */
export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  readonly budget: number;
}

/**
 * Collects one page of a text that comes in pieces and holds no more than the page in memory, however long the
 * text or its lines are. Feed it until it says that it is full.
 */
export class LinePage {
  private readonly request: PageRequest;
  private readonly whole: string[] = [];
  private started = '';
  private line = 1;
  private room: number;
  private next: number | undefined;
  private isLineCut = false;
  private skipsRest = false;

  constructor(request: PageRequest) {
    this.request = request;
    this.room = request.budget;
  }

  /** Takes the next piece; answers whether more is wanted. */
  push(piece: string): boolean {
    let at = 0;
    while (at < piece.length && this.next === undefined) {
      const newline = piece.indexOf('\n', at);
      const end = newline === -1 ? piece.length : newline + 1;
      this.take(piece.slice(at, end), newline !== -1);
      at = end;
    }
    return this.next === undefined;
  }

  /** The page, once the text has ended or `push` has answered no. */
  finish(): Page {
    const text = this.whole.join('') + this.started;
    return { text, isLineCut: this.isLineCut, ...(this.next === undefined ? {} : { next: this.next }) };
  }

  private take(part: string, endsLine: boolean): void {
    const { offset, limit } = this.request;
    if (this.line >= offset + limit) {
      this.next = this.line;
      return;
    }
    if (this.line >= offset && !this.skipsRest) this.keep(part);
    if (this.next === undefined && endsLine) this.endLine();
  }

  private keep(part: string): void {
    const length = countCodePoints(part);
    if (length <= this.room) {
      this.started += part;
      this.room -= length;
    } else if (this.whole.length === 0) {
      this.started += firstCodePoints(part, this.room);
      this.room = 0;
      this.isLineCut = true;
      this.skipsRest = true;
    } else {
      this.started = '';
      this.next = this.line;
    }
  }

  private endLine(): void {
    if (this.line >= this.request.offset) this.whole.push(this.started);
    this.started = '';
    this.skipsRest = false;
    this.line += 1;
  }
}
