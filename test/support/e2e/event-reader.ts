import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** One event as a client of the stream saw it. */
export interface SeenEvent {
  readonly cursor: string;
  readonly id: string;
  readonly subject: string;
  readonly version: number;
  readonly type: string;
  readonly text: string;
}

export interface EventReaderOptions {
  readonly address: string;
  readonly key: string;
  /** Query of `/v1/events`, with its question mark. */
  readonly query?: string;
  /** After how many events of a connection the client hangs up; never when absent. */
  readonly hangsUpAfter?: () => number;
  /** Where to begin; at the end of the log when absent. */
  readonly after?: string;
}

/**
 * A client of `/v1/events` that hangs up without a word, in the middle of whatever it is being sent, and comes back with the
 * id of the last event that it took.
 */
export class EventReader {
  readonly seen: SeenEvent[] = [];
  /** Names of the events without an id, such as `level` and `gap`. */
  readonly signals: string[] = [];
  /** How many comments came: heartbeats. */
  comments = 0;
  connections = 0;
  private isStopped = false;
  private response: IncomingMessage | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: EventReaderOptions) {}

  /** Resolves once the first connection stands, so that nothing recorded afterwards may be missed. */
  async start(): Promise<void> {
    this.running = this.run();
    while (this.signals.length === 0) await pause(10);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.response?.destroy();
    await this.running;
  }

  /** Waits until `holds` is true of what was seen. */
  async until(holds: () => boolean, timeoutMs = 60_000): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!holds()) {
      if (performance.now() > deadline)
        throw new Error(
          `The reader saw ${this.seen.length} events in ${timeoutMs} ms and not what it should.`,
        );
      await pause(25);
    }
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      await this.readOnce(this.options.hangsUpAfter?.() ?? Infinity);
      // A client that nobody accepts must not ask in a busy loop.
      await pause(5);
    }
  }

  private async readOnce(most: number): Promise<void> {
    const response = await this.connect();
    if (response === null) return;
    this.connections += 1;
    this.response = response;
    try {
      await this.takeUpTo(this.seen.length + most, response);
    } catch {
      // The connection was cut; the next one goes on.
    } finally {
      response.destroy();
    }
  }

  private async takeUpTo(most: number, response: IncomingMessage): Promise<void> {
    let rest = '';
    for await (const chunk of response.setEncoding('utf8')) {
      const frames = (rest + String(chunk)).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        this.take(frame);
        // What came behind it in the same chunk is lost to this client.
        if (this.seen.length >= most) return;
      }
    }
  }

  private connect(): Promise<IncomingMessage | null> {
    const { address, key, query = '', after } = this.options;
    const lastId = this.seen.at(-1)?.cursor ?? after;
    const headers = {
      authorization: `Bearer ${key}`,
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    };
    return new Promise((resolve) => {
      get(`${address}/v1/events${query}`, { headers, agent: false }, resolve).once('error', () =>
        resolve(null),
      );
    });
  }

  private take(frame: string): void {
    const fields = new Map(
      frame.split(/\r\n|\r|\n/).map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
      }),
    );
    if (frame.startsWith(':')) this.comments += 1;
    const cursor = fields.get('id');
    const name = fields.get('event');
    if (name !== undefined) this.signals.push(name);
    if (cursor === undefined) return;
    const text = fields.get('data') ?? '';
    const event = JSON.parse(text) as {
      id: string;
      subject: string;
      streamversion: number;
      type: string;
    };
    const { id, subject, streamversion: version, type } = event;
    this.seen.push({ cursor, id, subject, version, type: type.replace('dev.offshoot.', ''), text });
  }
}
