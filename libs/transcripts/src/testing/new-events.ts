import { v7 as uuidv7 } from 'uuid';
import { NO_STREAM, type EventContext, type NewEvent, type RecordedEvent } from '../events/recorded-event.js';
import type { TranscriptStore, AppendRequest } from '../store/transcript-store.js';

export const testContext: EventContext = Object.freeze({ actor: 'system:spec', tenant: 'tenant-a' });

export function newId(): string {
  return uuidv7();
}

/** An event with a fresh id; only the interesting fields need to be said. */
export function newEvent(fields: Partial<NewEvent> = {}): NewEvent {
  return { id: newId(), type: 'MessageAppended', schema: 1, data: '{"text":"hello"}', ...fields };
}

/** An append of one event to a stream that does not exist, unless said otherwise. */
export function newAppend(fields: Partial<AppendRequest> = {}): AppendRequest {
  return { stream: newId(), expected: NO_STREAM, events: [newEvent()], context: testContext, ...fields };
}

/** Reads a whole stream, page by page of `limit`. */
export async function wholeStream(
  store: TranscriptStore,
  stream: string,
  limit?: number,
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page = await store.readStream(stream, after, limit);
    events.push(...page.events);
    after = page.next;
  }
  return events;
}

/** Reads the log until a page says that nothing more is there, page by page of `limit`. */
export async function wholeLog(store: TranscriptStore, limit?: number): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  let page = await store.readLog(null, limit);
  events.push(...page.events);
  while (page.more) {
    page = await store.readLog(page.next, limit);
    events.push(...page.events);
  }
  return events;
}
