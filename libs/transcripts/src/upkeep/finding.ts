/** Everything that an examination can find, and what it means. Names are public: they stand in `offshoot doctor --json`. */
export const FindingKind = Object.freeze({
  /** A stream does not verify: an event was altered, is missing or is not linked. Its agent does not run. */
  chainBroken: 'chain_broken',
  /** A payload in the blob table is missing or is not what its hash says. Its agent does not run. */
  payloadUnreadable: 'payload_unreadable',
  /** An event states a policy fact, or a known fact in a form, that this release cannot read. Its agent does not run. */
  eventUnreadable: 'event_unreadable',
  /** A fork's inherited history is not there as it was when the fork was launched. It does not run. */
  bootstrapBroken: 'bootstrap_broken',
  /** An event names a blob, such as the picture of a call, that is not there. Its agent runs on. */
  blobMissing: 'blob_missing',
  /** An event names a blob whose bytes are not what its hash says. Its agent runs on. */
  blobDamaged: 'blob_damaged',
  /** Payloads that no event refers to. Harmless, and room on the disk. */
  blobOrphaned: 'blob_orphaned',
  /** A projection is not what the log says. */
  projectionStale: 'projection_stale',
  /** A reader's checkpoint lies behind the end of the log: it would miss what comes next. */
  checkpointAhead: 'checkpoint_ahead',
  /** An agent waits for a worker, and nothing would ever send it to one. */
  dispatchMissing: 'dispatch_missing',
  /** The parent of an agent that ended could not be told of it; it is tried again. */
  outcomeUndelivered: 'outcome_undelivered',
  /** The schema is older than this program. */
  migrationPending: 'migration_pending',
  /** The schema is newer than this program. */
  migrationUnknown: 'migration_unknown',
  /** The database was restored elsewhere and has no new generation yet: readers would miss events. */
  generationStale: 'generation_stale',
  /** A transaction has been open for long and holds back every reader of the log. */
  logHeldBack: 'log_held_back',
});
export type FindingKind = (typeof FindingKind)[keyof typeof FindingKind];

export interface Finding {
  readonly kind: FindingKind;
  /** What it is about: an agent, a hash, a reader, a projection, a migration, a backend. */
  readonly subject: string;
  readonly detail: string;
}
