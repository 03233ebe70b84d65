/** What was asked for cannot be done; the message is for the person who asked. */
export class OperationRefusedError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
