/** A place in one transcript, as text: the version it stands at. Opaque to clients. */
export const transcriptCursor = (version: number): string => `v${version.toString(36)}`;

/** The version of a cursor of this kind, or null for any other text. */
export function versionOfCursor(cursor: string): number | null {
  const digits = /^v([0-9a-z]{1,7})$/.exec(cursor)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 36);
}
