import { damageMended, decodeEvent, isSound, type RecordedEvent, type TranscriptStore } from '#transcripts';
import type { FindChildren } from '../projections/agent-roster/children-of.js';

type Concerns = (event: RecordedEvent) => boolean;

/** Whether an event says that a damaged agent verifies again. */
export function isMended(event: RecordedEvent): boolean {
  if (event.type !== 'WaitEnded') return false;
  const read = decodeEvent(event);
  return read.type === 'WaitEnded' && read.data.reason === damageMended;
}

/**
 * The events of a page that a delivery has to look at, and behind each mending once more everything that it may have gone by: what the
 * agent itself has to tell, which could not be read, and what its children had to tell it, which it could not take. Deliveries know
 * what was told.
 */
export async function lookAgain(
  events: readonly RecordedEvent[],
  concerns: Concerns,
  { store, childrenOf }: { readonly store: TranscriptStore; readonly childrenOf: FindChildren },
): Promise<readonly RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  for (const event of events) {
    if (concerns(event)) found.push(event);
    if (!isMended(event)) continue;
    for (const stream of [event.stream, ...(await childrenOf(event.stream))])
      found.push(...(await concerning(store, stream, concerns)));
  }
  return found;
}

async function concerning(
  store: TranscriptStore,
  stream: string,
  concerns: Concerns,
): Promise<readonly RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page = await store.readStream(stream, after);
    found.push(...page.events.filter((event) => isSound(event) && concerns(event)));
    after = page.next;
  }
  return found;
}
