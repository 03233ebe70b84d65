import type { RecordedEvent } from '../events/recorded-event.js';
import type { TranscriptStore } from './transcript-store.js';

/** The first event of every stream, in the order of ids; see `TranscriptStore.readFirstEvents`. */
export async function* allFirstEvents(store: TranscriptStore): AsyncGenerator<RecordedEvent, void> {
  for await (const events of firstEventPages(store)) yield* events;
}

/** The same in pages, for who asks something about many of them at once. */
export async function* firstEventPages(
  store: TranscriptStore,
  mentioning = '',
): AsyncGenerator<readonly RecordedEvent[], void> {
  let after: string | null = null;
  do {
    const page = await store.readFirstEvents(after, mentioning);
    yield page.events;
    after = page.next;
  } while (after !== null);
}
