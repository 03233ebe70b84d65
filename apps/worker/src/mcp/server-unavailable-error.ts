/** A call cannot be made now; nothing was sent. */
export class ServerUnavailableError extends Error {
  readonly code = 'SERVER_UNAVAILABLE';
}
