/** An operating program refused what it was asked for, in its own words. */
export class OperationRefusedError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
