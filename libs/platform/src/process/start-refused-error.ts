/**
 * Thrown by a start for the person who started the program: what it names must be mended first, so an identical start fails
 * again. The message is one line, is shown without a stack, and holds no password.
 */
export class StartRefusedError extends Error {
  readonly code = 'START_REFUSED';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartRefusedError';
  }
}
