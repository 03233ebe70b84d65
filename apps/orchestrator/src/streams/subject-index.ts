import {
  decodeEvent,
  isSound,
  type RecordedEvent,
  type SoundEvent,
  type TranscriptStore,
} from '#transcripts';
import type { EventSubject } from './cloud-event.js';

const capacity = 50_000;

/** Session and kind of agents, which stand in the first event of each stream and never change. */
export class SubjectIndex {
  private readonly subjects = new Map<string, EventSubject>();

  constructor(private readonly store: TranscriptStore) {}

  async of(event: RecordedEvent): Promise<EventSubject> {
    const known = this.subjects.get(event.stream);
    if (known !== undefined) return known;
    const first = event.version === 1 ? event : (await this.store.readStream(event.stream, 0, 1)).events[0];
    // Archived since the event was read. Whoever asked reads again, and finds that something is missing.
    if (first === undefined) throw new Error(`Agent ${event.stream} is not here any more.`);
    // What cannot be read now may be restored: it is not kept.
    if (!isSound(first)) return { sessionId: first.stream, kind: 'unknown' };
    const subject = subjectOf(first);
    if (this.subjects.size >= capacity) this.subjects.delete(this.subjects.keys().next().value ?? '');
    this.subjects.set(event.stream, subject);
    return subject;
  }
}

function subjectOf(first: SoundEvent): EventSubject {
  const event = decodeEvent(first);
  if (event.type === 'AgentLaunched') return { sessionId: event.data.sessionId, kind: event.data.kind };
  return { sessionId: first.stream, kind: 'session' };
}
