import type { ServerResponse } from 'node:http';
import type { EventFrame } from './event-frame.js';
import type { Subscriber } from './event-hub.js';

/** Text that a client was sent and has not taken; over this it is cut off and comes back with its last id (S05). */
const unreadLimit = 8 * 1024 * 1024;
/** Text that is sent without waiting for more. */
const fullLength = 1024 * 1024;
/** Least time between two writes: frames that come sooner go out together, many small writes cost more than the delay. */
const defaultCoalesceMs = 25;

export interface StreamClientOptions {
  readonly response: ServerResponse;
  readonly wants: (frame: EventFrame) => boolean;
  readonly print: (frame: EventFrame) => string;
  /** Called once, when the stream is over, however it ended. */
  readonly onClosed: () => void;
  /** Called before a client is cut off because it does not read, with the size of what it left unread. */
  readonly onTooSlow: (unreadLength: number) => void;
  /** Least time between two writes of what the tail pushes; 25 ms when not said. */
  readonly coalesceMs?: number;
}

/** One client of an event stream: what it wants, written in order, with a bound on what it has not read. */
export class StreamClient implements Subscriber {
  private pending: string[] = [];
  private pendingLength = 0;
  private timer: NodeJS.Timeout | null = null;
  private writtenAt = -Infinity;
  private isClosed = false;

  constructor(private readonly options: StreamClientOptions) {
    // Bound before anything waits, to the response: a client can be gone before the first read returns (S07).
    options.response.on('close', () => this.close());
    options.response.on('error', () => this.close());
  }

  get closed(): boolean {
    return this.isClosed;
  }

  push(frames: readonly EventFrame[]): void {
    const wanted = frames
      .filter((frame) => this.options.wants(frame))
      .map((frame) => this.options.print(frame));
    if (wanted.length === 0 || this.isClosed) return;
    this.pending.push(...wanted);
    this.pendingLength += wanted.reduce((sum, text) => sum + text.length, 0);
    // A frame after a pause goes out at once: nobody gains by its waiting for others.
    const dueMs = this.writtenAt + (this.options.coalesceMs ?? defaultCoalesceMs) - performance.now();
    if (dueMs <= 0 || this.pendingLength >= fullLength) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), dueMs);
  }

  /** Writes at once. Answers when the client has taken most of what it was sent, or is gone. */
  async write(text: string): Promise<void> {
    if (this.isClosed || text === '' || this.options.response.write(text)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.options.response.off('drain', done).off('close', done);
        resolve();
      };
      this.options.response.on('drain', done).on('close', done);
    });
  }

  /** Sends a last text and ends the stream. */
  end(text: string): void {
    this.flush();
    if (!this.isClosed) this.options.response.end(text);
    this.close();
  }

  /** Sends what is waiting. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const text = this.pending.join('');
    this.pending = [];
    this.pendingLength = 0;
    if (this.isClosed || text === '') return;
    this.writtenAt = performance.now();
    // What goes out now does not count: nobody had a chance to read it.
    const unread = this.options.response.writableLength;
    if (unread <= unreadLimit) {
      this.options.response.write(text);
      return;
    }
    this.options.onTooSlow(unread);
    this.options.response.destroy();
  }

  /** Ends the stream; the client comes back with its last id and is told what it missed. */
  cutOff(): void {
    this.end('');
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.pending = [];
    this.options.onClosed();
  }
}
