import {
  type DecodedEvent,
  decodeEvent,
  type RecordedEvent,
  type TranscriptStore,
  type UnknownEvent,
} from '#transcripts';
import { ProblemError } from '../http/problem.js';

/** Events of one transcript up to a version, in order; no more than a page is held at a time. A damaged one is refused: no answer about it would be true. */
export async function* readTranscript(
  store: TranscriptStore,
  agentId: string,
  upTo: number,
): AsyncGenerator<DecodedEvent | UnknownEvent> {
  for (let after: number | null = 0; after !== null && after < upTo;) {
    const page = await store.readStream(agentId, after);
    for (const record of page.events) if (record.version <= upTo) yield readWhole(record);
    after = page.next;
  }
}

function readWhole(record: RecordedEvent): DecodedEvent | UnknownEvent {
  const event = decodeEvent(record);
  if (event.type !== 'damaged') return event;
  const { version, fault } = event.record;
  throw new ProblemError(
    'AGENT_DAMAGED',
    `Version ${version} of this agent is not what was recorded (${fault}).`,
  );
}
