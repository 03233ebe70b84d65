import { setTimeout as pause } from 'node:timers/promises';

/** Resolves with the first value of `read` that `accept` takes; throws with the last value seen when none came in time. */
export async function eventually<T>(
  read: () => T | Promise<T>,
  accept: (value: T) => boolean,
  forMs = 15_000,
): Promise<T> {
  const endsAt = performance.now() + forMs;
  let value = await read();
  while (!accept(value)) {
    if (performance.now() > endsAt) {
      throw new Error(`Still not so after ${forMs} ms: ${JSON.stringify(value)}`);
    }
    await pause(25);
    value = await read();
  }
  return value;
}
