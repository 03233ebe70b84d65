/** Limits of the log, in UTF-8 bytes and events. Every store keeps the same ones, so that no spec passes on one only. */
export const storeLimits = Object.freeze({
  /** A larger payload goes whole to the blob table. */
  inlineBytes: 1024 * 1024,
  /** A larger payload is refused. */
  eventBytes: 16 * 1024 * 1024,
  /** A blob is stored, read and exported in parts of this size; only its last one is shorter. */
  blobPartBytes: 256 * 1024,
  /** Names of the envelope: actor, tenant, type, causation, correlation, trace, idempotency key. */
  nameBytes: 1024,
  pageEvents: 1000,
  /** Pages of so few events are read in a way that suits the end of the log, where most reads find one event or none. */
  tailPageEvents: 32,
  /** A page ends with the event that reaches this; a page always holds at least one event. */
  pageBytes: 8 * 1024 * 1024,
});

/** How much to ask for behind a page, at most `limit`: little where it was the last one, so that the read is quick. */
export function nextLimit(
  { more, held }: { readonly more: boolean; readonly held: boolean },
  limit: number = storeLimits.pageEvents,
): number {
  return more && !held ? limit : Math.min(limit, storeLimits.tailPageEvents);
}

/** The page size that is used for `limit`: absent, odd or huge limits become the page limit. */
export function clampPage(limit: number | undefined): number {
  if (limit === undefined || Number.isNaN(limit)) return storeLimits.pageEvents;
  return Math.min(Math.max(Math.trunc(limit), 1), storeLimits.pageEvents);
}
