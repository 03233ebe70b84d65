import {
  followLog,
  formatLogCursor,
  isSound,
  type LogPage,
  type LogPlace,
  type RecordedEvent,
  type TranscriptStore,
  type WakeUp,
} from '#transcripts';
import { cloudEvent } from './cloud-event.js';
import type { EventFrame } from './event-frame.js';
import { framesBehind, RecentFrames } from './recent-frames.js';
import type { SubjectIndex } from './subject-index.js';

/** A client of the tail. Neither may throw or wait. */
export interface Subscriber {
  push(frames: readonly EventFrame[]): void;
  /** Something was archived before the tail came to it: the client must come back and be told. */
  cutOff(): void;
}

/**
 * One tail of the log for all clients of this process. A client catches up from the log by itself and joins when the tail
 * still holds everything behind its place: `join` says whether it does, and hands over the rest in the same step.
 */
export class EventHub {
  /** Each with the place that it has read up to by itself, which may be further than the tail has come. */
  private readonly subscribers = new Map<Subscriber, LogPlace | null>();
  private readonly stopping = new AbortController();
  private recent = new RecentFrames(null);
  private drops = 0;
  private running: Promise<void> | null = null;

  constructor(
    private readonly store: TranscriptStore,
    private readonly wakeUp: WakeUp,
    private readonly subjects: SubjectIndex,
    private readonly onFault: (thrown: unknown) => void,
  ) {}

  async start(): Promise<void> {
    const end = await this.store.logEnd();
    this.recent = new RecentFrames(end);
    this.running = this.run(end);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** How many clients follow right now. */
  get size(): number {
    return this.subscribers.size;
  }

  /** Joins the tail behind `place`, or answers false when the client must read on in the log first. */
  join(place: LogPlace | null, subscriber: Subscriber): boolean {
    const missed = this.recent.behind(place);
    if (missed === null) return false;
    if (missed.length > 0) subscriber.push(missed);
    this.subscribers.set(subscriber, place);
    return true;
  }

  leave(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber);
  }

  /** Frames of a page of the log, in its order. */
  async framesOf(events: readonly RecordedEvent[]): Promise<readonly EventFrame[]> {
    const logId = await this.store.logId();
    const frames: EventFrame[] = [];
    for (const event of events) {
      // Nothing of it can be told; that its agent is blocked is an event of its own.
      if (!isSound(event)) continue;
      const subject = await this.subjects.of(event);
      const { place } = event;
      frames.push({
        event,
        subject,
        place,
        cursor: formatLogCursor(logId, place),
        json: cloudEvent(event, subject),
      });
    }
    return frames;
  }

  private async run(after: LogPlace | null): Promise<void> {
    let place = after;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        for await (const page of followLog(this.store, place, { wakeUp: this.wakeUp, signal })) {
          await this.take(page, place);
          place = page.next;
        }
      } catch (thrown) {
        this.onFault(thrown);
        await this.wakeUp.wait(this.wakeUp.count, 500, signal);
      }
    }
  }

  private async take(page: LogPage, place: LogPlace | null): Promise<void> {
    if (await this.hasMissed(place, page)) this.startAgain(page.next);
    else this.spread(await this.framesOf(page.events));
  }

  /** Whether events behind a place were taken away before this page was read. */
  private async hasMissed(place: LogPlace | null, { drops }: LogPage): Promise<boolean> {
    if (drops === this.drops) return false;
    const { last } = await this.store.droppedBehind(place ?? { generation: 0, xid: 0n, position: 0n }, null);
    this.drops = drops;
    return last !== null;
  }

  /** Nothing before `place` is known to be whole: clients read it in the log, where they are told what is missing. */
  private startAgain(place: LogPlace | null): void {
    this.recent = new RecentFrames(place);
    for (const subscriber of [...this.subscribers.keys()]) {
      this.subscribers.delete(subscriber);
      subscriber.cutOff();
    }
  }

  private spread(frames: readonly EventFrame[]): void {
    this.recent.add(frames);
    for (const [subscriber, place] of this.subscribers) {
      const wanted = framesBehind(place, frames);
      subscriber.push(wanted);
      // From here on everything is new to it.
      if (wanted.length > 0) this.subscribers.set(subscriber, null);
    }
  }
}
