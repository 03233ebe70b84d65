/** What is stored under a hash is not what was stored there. */
export class BlobDamagedError extends Error {
  readonly code = 'BLOB_DAMAGED';
  constructor(
    readonly hash: string,
    found: string,
  ) {
    super(`The stored payload ${hash} is damaged: its bytes hash to ${found}.`);
  }
}
