/** No orchestrator, or no key for it, could be found; the message is for the person. Not retried. */
export class ServerNotFoundError extends Error {}
