/** There is no database, or none of Offshoot, to work on; the message is for the person. */
export class NoDatabaseError extends Error {
  readonly code = 'DATABASE_NOT_FOUND';
}
