import type { EventName } from './agent-event.js';

/** Turns the payload of one schema version into that of the next; pure. */
type Upcaster = (data: unknown) => unknown;

/**
 * Upcasters by event, in order: the first lifts schema 1 to 2, and so on. The current schema of an event is one
 * more than the number of its upcasters, so the two cannot drift apart. None yet: every payload is at schema 1.
 */
const upcasters: { readonly [N in EventName]?: readonly Upcaster[] } = {};

/** The schema version that this release writes for an event. */
export function currentSchema(type: EventName): number {
  return 1 + (upcasters[type]?.length ?? 0);
}

/** Lifts a payload recorded at `schema` to the current one. */
export function upcast(type: EventName, schema: number, data: unknown): unknown {
  return (upcasters[type] ?? []).slice(schema - 1).reduce((lifted, lift) => lift(lifted), data);
}
