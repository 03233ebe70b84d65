/** Headers that say when to come back, as they were sent. */
export interface RetryHeaders {
  get(name: string): string | null;
}

// RFC 9110 §5.6.7: all three forms of an HTTP-date start with a weekday. Date.parse alone would read "-5" as a year.
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

function parseHttpDate(value: string): number | null {
  if (!HTTP_DATE.test(value)) return null;
  // The asctime form names no zone and means GMT.
  const at = Date.parse(/GMT$/.test(value) ? value : `${value} GMT`);
  return Number.isNaN(at) ? null : at;
}

function parseNumber(value: string | null, unitMs: number): number | null {
  const text = value?.trim() ?? '';
  return /^\d+(?:\.\d+)?$/.test(text) ? Math.ceil(Number(text) * unitMs) : null;
}

function untilDate(headers: RetryHeaders, value: string, nowMs: number): number | null {
  const at = parseHttpDate(value);
  if (at === null) return null;
  // The provider's own clock decides how far away its date is: ours may be wrong by minutes.
  const sentAt = parseHttpDate(headers.get('date')?.trim() ?? '') ?? nowMs;
  return Math.max(0, at - sentAt);
}

/**
 * How long a provider asks us to stay away, in milliseconds, at most `maxMs`: `retry-after-ms`, else `Retry-After` in
 * seconds or as an HTTP-date (L09). Null when it says nothing usable (`abc`, `-5`).
 */
export function readRetryAfter(headers: RetryHeaders, nowMs: number, maxMs: number): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  const delayMs =
    parseNumber(headers.get('retry-after-ms'), 1) ??
    parseNumber(value, 1000) ??
    untilDate(headers, value, nowMs);
  return delayMs === null ? null : Math.min(delayMs, maxMs);
}
