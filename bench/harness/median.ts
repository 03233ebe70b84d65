/** The value below which the given part (0 to 1) of the samples lies, by the nearest rank. Throws for no samples. */
export function quantile(samples: readonly number[], part: number): number {
  const sorted = [...samples].sort((left, right) => left - right);
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * part) - 1))];
  if (value === undefined) throw new RangeError('A quantile needs one sample or more.');
  return value;
}

/** The middle sample; the lower one of two. */
export const median = (samples: readonly number[]): number => quantile(samples, 0.5);
