/** An operating program ended without an answer. */
export class OperationFailedError extends Error {}
