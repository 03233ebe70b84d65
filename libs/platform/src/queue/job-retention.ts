/**
 * Options of every job. A kept job owns its id and swallows a new job of the same id, so failures are removed at once and
 * completions are few and short-lived; the backend stays bounded (field cases Q03, Q10).
 */
export const jobRetention = Object.freeze({
  attempts: 1,
  removeOnComplete: { age: 600, count: 200 },
  removeOnFail: true,
});

/** The backend's own event stream is read by nobody here; the default keeps 10,000 entries of each queue. */
export const queueStreams = Object.freeze({ events: { maxLen: 100 } });

/**
 * Each interruption of a long job counts as a stall, and the default limit of one would fail it at the second deploy (field
 * case Q12). The log keeps the ledger of attempts.
 */
export const maxStalledCount = 1_000_000;
