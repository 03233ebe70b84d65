import type { EventContext, NewEvent, StreamHead } from '../events/recorded-event.js';
import { chainHash } from './chain-hash.js';
import { checkStorable } from './check-storable.js';
import type { AppendRequest, IdempotencyClaim } from './transcript-store.js';

/** An event with its place in the chain. */
export interface SealedEvent extends NewEvent {
  readonly version: number;
  readonly previousHash: string | null;
  readonly hash: string;
}

/** An append as it will be written: versions and hashes follow from the expected head. */
export interface SealedAppend {
  readonly stream: string;
  readonly events: readonly [SealedEvent, ...SealedEvent[]];
  readonly context: EventContext;
  readonly idempotency: IdempotencyClaim | null;
  readonly requires: readonly string[];
  /** Where the stream stands once this is recorded. */
  readonly head: StreamHead;
}

/** Numbers and chains the events of `request`; throws `UnstorableAppendError` when it can never be recorded. */
export function sealAppend(request: AppendRequest): SealedAppend {
  checkStorable(request);
  const [first, ...rest] = request.events;
  const fence = seal(request, request.expected, first);
  const events: [SealedEvent, ...SealedEvent[]] = [fence];
  let last = fence;
  for (const event of rest) {
    last = seal(request, last, event);
    events.push(last);
  }
  return {
    stream: request.stream,
    events,
    context: request.context,
    idempotency: request.idempotency ?? null,
    requires: request.requires ?? [],
    head: { version: last.version, hash: last.hash },
  };
}

function seal(request: AppendRequest, head: StreamHead, event: NewEvent): SealedEvent {
  const { id, type, schema, data } = event;
  const link = { stream: request.stream, version: head.version + 1, previousHash: head.hash };
  const hash = chainHash(link, event, request.context);
  return { id, type, schema, data, version: link.version, previousHash: link.previousHash, hash };
}
