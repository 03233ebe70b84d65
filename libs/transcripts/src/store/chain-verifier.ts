import { type EventFault, NO_STREAM, type RecordedEvent, type StreamHead } from '../events/recorded-event.js';
import { chainHash } from './chain-hash.js';

/** `gap`: a version is missing or twice. `broken_link`: it names another predecessor. The others are faults of the event itself. */
export type ChainFault = 'gap' | 'broken_link' | EventFault;

export type ChainVerdict =
  | { readonly ok: true; readonly head: StreamHead }
  | { readonly ok: false; readonly version: number; readonly fault: ChainFault };

/**
 * Verifies that `events` continue a stream that stood at `head` (spec 03 §1: a stream that does not verify does not
 * run). Answers the new head, to be handed in with the next page, or the first version that does not verify.
 */
export function verifyChain(events: Iterable<RecordedEvent>, head: StreamHead = NO_STREAM): ChainVerdict {
  let last = head;
  for (const event of events) {
    const fault = faultOf(event, last);
    if (fault !== null) return { ok: false, version: event.version, fault };
    last = { version: event.version, hash: event.hash };
  }
  return { ok: true, head: last };
}

function faultOf(event: RecordedEvent, last: StreamHead): ChainFault | null {
  if (event.version !== last.version + 1) return 'gap';
  if (event.previousHash !== last.hash) return 'broken_link';
  // Who read it from the database has hashed it already, with the same predecessor.
  if (event.fault !== undefined) return event.fault;
  return chainHash(event, event, event) === event.hash ? null : 'altered';
}
