import { type DecodedEvent, decodeEvent, type TranscriptStore, type UnknownEvent } from '#transcripts';

/** Events of one transcript up to a version, in order; no more than a page is held at a time. */
export async function* readTranscript(
  store: TranscriptStore,
  agentId: string,
  upTo: number,
): AsyncGenerator<DecodedEvent | UnknownEvent> {
  for (let after: number | null = 0; after !== null && after < upTo;) {
    const page = await store.readStream(agentId, after);
    for (const record of page.events) if (record.version <= upTo) yield decodeEvent(record);
    after = page.next;
  }
}
