/** A command was called in a way that says nothing definite; the message is for the person. */
export class UsageError extends Error {}
