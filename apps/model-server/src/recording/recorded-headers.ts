import type { IncomingHttpHeaders } from 'node:http';

const wanted: ReadonlySet<string> = new Set([
  'anthropic-beta',
  'anthropic-version',
  'content-type',
  'idempotency-key',
  'traceparent',
  'user-agent',
  'x-stainless-retry-count',
]);

/**
 * The headers that may be kept: a closed list and `x-offshoot-*`. A list of what to keep, never of what to leave out,
 * so that no credential is kept by oversight.
 */
export function recordedHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && (wanted.has(entry[0]) || entry[0].startsWith('x-offshoot-')),
  );
  return Object.fromEntries(kept);
}
