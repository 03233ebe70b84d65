import { median } from './median.js';

/**
 * Bytes that one call of `work` leaves on the heap, as the median of several runs of `count` calls each, less what the
 * measurement itself takes. `count` calls must fit into the young generation: a collection in between makes a run
 * negative, and such a run is dropped. Needs `node --expose-gc`.
 */
export function allocatedBytes(work: (index: number) => void, count: number, runs = 15): number {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error('Allocations are measured under node --expose-gc only.');
  const grown = (calls: number): number => {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < calls; index += 1) work(index);
    return process.memoryUsage().heapUsed - before;
  };
  // The first runs compile the code, which is on the heap too.
  for (let run = 0; run < 10; run += 1) grown(count);
  const own = median(Array.from({ length: runs }, () => grown(0)));
  const samples = Array.from({ length: runs }, () => grown(count)).filter((bytes) => bytes >= 0);
  return Math.max(0, median(samples) - own) / count;
}
