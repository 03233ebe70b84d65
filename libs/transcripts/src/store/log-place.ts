import type { LogPlace } from '../events/recorded-event.js';

/** Orders places as the log does: negative when `a` comes before `b`, zero when they are one place. */
export function compareLogPlaces(a: LogPlace, b: LogPlace): number {
  if (a.generation !== b.generation) return a.generation - b.generation;
  if (a.xid !== b.xid) return a.xid < b.xid ? -1 : 1;
  if (a.position !== b.position) return a.position < b.position ? -1 : 1;
  return 0;
}
