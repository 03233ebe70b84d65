/**
 * The `code` of a thrown value (a system error, a SQLSTATE), or undefined. Asks for the property and not for
 * the class: an error from another realm or another copy of a package is no instance of ours.
 */
export function errorCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** The message of a thrown value, whatever was thrown. */
export function errorMessage(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || !('message' in thrown)) return String(thrown);
  return String(thrown.message);
}
