/**
 * Whether one RFC 3339 instant lies after another. The log writes microseconds and a list may write
 * milliseconds, so instants of the same millisecond are compared by the digits of their fraction.
 */
export function isAfter(left: string, right: string): boolean {
  const difference = Date.parse(left) - Date.parse(right);
  if (difference !== 0) return difference > 0;
  return fraction(left) > fraction(right);
}

const fraction = (instant: string): string => (/\.(\d+)/.exec(instant)?.[1] ?? '').padEnd(9, '0');
