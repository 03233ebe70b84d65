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
  /** A page ends with the event that reaches this; a page always holds at least one event. */
  pageBytes: 8 * 1024 * 1024,
});

/** The page size that is used for `limit`: absent, odd or huge limits become the page limit. */
export function clampPage(limit: number | undefined): number {
  if (limit === undefined || Number.isNaN(limit)) return storeLimits.pageEvents;
  return Math.min(Math.max(Math.trunc(limit), 1), storeLimits.pageEvents);
}
