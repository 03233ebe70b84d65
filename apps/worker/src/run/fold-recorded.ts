import type { LoadedAgent } from '#agents';
import {
  decodeEvent,
  type EventContext,
  evolve,
  type NewEvent,
  type RecordedEvent,
  type StreamHead,
} from '#transcripts';

/** An append that was recorded, as its writer knows it. */
interface OwnAppend {
  readonly events: readonly NewEvent[];
  readonly before: StreamHead;
  readonly head: StreamHead;
  readonly context: EventContext;
  /** By the writer's clock, for its own copy only; the database stamps what is recorded. */
  readonly recordedAt: Date;
}

/** Folds what was just recorded into the writer's own copy, without reading it back. */
export function foldRecorded(loaded: LoadedAgent, append: OwnAppend): void {
  const { events, before, head, context } = append;
  const recordedAt = append.recordedAt.toISOString();
  for (const [index, event] of events.entries()) {
    const version = before.version + index + 1;
    const record: RecordedEvent = {
      ...event,
      ...context,
      stream: loaded.meta.agentId,
      version,
      recordedAt,
      previousHash: null,
      hash: version === head.version && head.hash !== null ? head.hash : '',
      place: { generation: 0, xid: 0n, position: 0n },
    };
    const decoded = decodeEvent(record);
    loaded.meta = evolve(loaded.meta, decoded);
    loaded.history.add(decoded);
  }
}
