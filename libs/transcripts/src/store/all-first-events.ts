import type { RecordedEvent } from '../events/recorded-event.js';
import type { TranscriptStore } from './transcript-store.js';

/** The first event of every stream, in the order of ids, page by page; see `TranscriptStore.readFirstEvents`. */
export async function* allFirstEvents(
  store: TranscriptStore,
  mentioning = '',
): AsyncGenerator<RecordedEvent, void> {
  let after: string | null = null;
  do {
    const page = await store.readFirstEvents(after, mentioning);
    yield* page.events;
    after = page.next;
  } while (after !== null);
}
