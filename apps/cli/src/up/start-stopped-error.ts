/** Thrown by a start that was stopped before it was done; everything it had started is gone then. */
export class StartStoppedError extends Error {
  readonly code = 'START_STOPPED';

  constructor() {
    super('The start was stopped.');
    this.name = 'StartStoppedError';
  }
}
