import type { z } from 'zod';
import { exchangeEvents } from './exchange-events.js';
import { launchEvents } from './launch-events.js';
import type { FaultyEvent, SoundEvent } from './recorded-event.js';
import { runEvents } from './run-events.js';
import { sessionEvents } from './session-events.js';

/** Every event name with the schema of its current payload. Names are public and fixed (spec 03 §1). */
export const eventSchemas = Object.freeze({
  ...sessionEvents,
  ...launchEvents,
  ...runEvents,
  ...exchangeEvents,
});

export type EventName = keyof typeof eventSchemas;
export type EventData<N extends EventName> = z.infer<(typeof eventSchemas)[N]>;

/** The union of everything that can happen to an agent. */
export type AgentEvent = { [N in EventName]: { readonly type: N; readonly data: EventData<N> } }[EventName];

/** One member of the union by name. */
export type EventOf<N extends EventName> = Extract<AgentEvent, { type: N }>;

/** A recorded event whose payload was read: the typed event beside its envelope. */
export type DecodedEvent = {
  [N in EventName]: { readonly type: N; readonly data: EventData<N>; readonly record: SoundEvent };
}[EventName];

/**
 * A recorded event of a type or schema version that this release does not know. Readers that do not need it skip
 * it; `statesPolicy` stops a run (spec 03 §2): the event states a policy fact, or a known fact in a newer form.
 */
export interface UnknownEvent {
  readonly type: 'unknown';
  readonly statesPolicy: boolean;
  readonly record: SoundEvent;
}

/** A recorded event that is not what was recorded: nothing is read out of it, its type neither. */
export interface DamagedEvent {
  readonly type: 'damaged';
  readonly record: FaultyEvent;
}

/** What reading a recorded event comes to. */
export type ReadEvent = DecodedEvent | UnknownEvent | DamagedEvent;
