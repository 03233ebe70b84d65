import { parseFrame, type Frame } from '../state/cloud-event.js';
import { eventNames } from '../state/event-names.js';
import { retryDelayMs, type Connection } from '../state/connection.js';
import { get } from './api.js';

/** Who is told about the stream. Frames come in batches, in the order of the log. */
export interface FeedListener {
  readonly onFrames: (frames: readonly Frame[]) => void;
  readonly onConnection: (connection: Connection) => void;
}

// A server may name its frames, and EventSource gives a named frame only to listeners of that name.
const frameNames = [
  'message',
  'level',
  'gap',
  ...eventNames.flatMap((name) => [name, `dev.offshoot.${name}`]),
];

const batchMs = 40;

/**
 * Follows `/v1/events` for as long as the page lives. A broken connection is resumed by the browser with
 * `Last-Event-ID`; a refused one is opened again with `?after=`, unless the refusal is about the cookie.
 */
export class EventFeed {
  #source: EventSource | null = null;
  #cursor: string | null = null;
  #attempt = 0;
  #batch: Frame[] = [];
  readonly #listener: FeedListener;

  constructor(listener: FeedListener) {
    this.#listener = listener;
  }

  /** Whether a broken connection is resumed where it broke; without a place the time in between is lost. */
  get hasPlace(): boolean {
    return this.#cursor !== null;
  }

  /** Opens the stream, from a cursor or from now on. */
  open(after: string | null): void {
    this.#source?.close();
    this.#cursor = after;
    const source = new EventSource(
      after === null ? '/v1/events' : `/v1/events?after=${encodeURIComponent(after)}`,
    );
    this.#source = source;
    source.onopen = () => {
      this.#attempt = 0;
      this.#listener.onConnection('live');
    };
    source.onerror = () => this.#onError(source);
    for (const name of frameNames)
      source.addEventListener(name, (message) => this.#onMessage(source, message));
  }

  #onMessage(source: EventSource, message: MessageEvent<unknown>): void {
    if (source !== this.#source || typeof message.data !== 'string') return;
    if (message.lastEventId !== '') this.#cursor = message.lastEventId;
    this.#batch.push(parseFrame(message.type, message.data, message.lastEventId));
    if (this.#batch.length > 1) return;
    setTimeout(() => {
      const frames = this.#batch;
      this.#batch = [];
      this.#listener.onFrames(frames);
    }, batchMs);
  }

  #onError(source: EventSource): void {
    if (source !== this.#source) return;
    this.#listener.onConnection('reconnecting');
    if (source.readyState === EventSource.CLOSED) void this.#retry(source);
  }

  async #retry(source: EventSource): Promise<void> {
    const probe = await get('/v1/agents?limit=1');
    if (source !== this.#source) return;
    if (!probe.ok && (probe.status === 401 || probe.status === 403)) {
      this.#listener.onConnection('signed-out');
      return;
    }
    const waitMs = retryDelayMs(this.#attempt, Math.random());
    this.#attempt += 1;
    setTimeout(() => source === this.#source && this.open(this.#cursor), waitMs);
  }
}
