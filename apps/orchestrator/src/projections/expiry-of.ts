/** No question stays open longer: what a recorded number of milliseconds amounts to must stay a time that the database knows. */
const latest = Date.parse('9999-12-31T00:00:00Z');

/** When something that was recorded at `recordedAt` and stays open for so long expires, with the microseconds of its record. */
export function expiryOf(recordedAt: string, expiresInMs: number): string {
  const wholeMs = Math.min(Date.parse(recordedAt) + expiresInMs, latest);
  const micros = /\.\d{3}(\d{3})Z$/.exec(recordedAt)?.[1] ?? '';
  return new Date(wholeMs).toISOString().replace('Z', `${micros}Z`);
}
