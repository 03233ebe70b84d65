/** How many leading bytes two buffers share. Halves by native comparison: at most about twice the shared bytes are read. */
export function commonPrefixLength(a: Buffer, b: Buffer): number {
  let low = 0;
  let high = Math.min(a.length, b.length);
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (a.compare(b, low, middle, low, middle) === 0) low = middle;
    else high = middle - 1;
  }
  return low;
}
