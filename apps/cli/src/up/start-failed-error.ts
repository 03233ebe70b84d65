/** Thrown when a part of the product does not come up; what had been started is stopped again. */
export class StartFailedError extends Error {
  readonly code = 'START_FAILED';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartFailedError';
  }
}
