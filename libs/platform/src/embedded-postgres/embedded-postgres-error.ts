/** What can keep the embedded cluster from running; each message says what to do about it. */
export type EmbeddedPostgresErrorCode =
  'BINARIES_MISSING' | 'NO_ACCOUNT' | 'CLUSTER_UNUSABLE' | 'INITDB_FAILED' | 'SERVER_FAILED';

/**
 * Thrown by `startEmbeddedPostgres` and `startEphemeralPostgres`. Nobody retries it: the message is for
 * the person who started the process.
 */
export class EmbeddedPostgresError extends Error {
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddedPostgresError';
    this.code = code;
  }
}
