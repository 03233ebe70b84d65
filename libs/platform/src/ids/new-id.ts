import { v7 } from 'uuid';

/** A new id: UUIDv7, so that ids made later sort later (to the millisecond). The one place that makes ids. */
export function newId(): string {
  return v7();
}
