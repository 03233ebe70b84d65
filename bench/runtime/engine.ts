/** Something that runs forks to their end. */
export interface Engine {
  readonly name: string;
  /** Launches a fork and resolves when it has ended; rejects when it did not complete. */
  runFork(): Promise<void>;
  stop(): Promise<void>;
}

/** Forks a second with so many on their way at once. */
export async function forksPerSecond(engine: Engine, forks: number, atOnce: number): Promise<number> {
  let left = forks;
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await engine.runFork();
    }
  };
  const since = performance.now();
  await Promise.all(Array.from({ length: atOnce }, caller));
  return (forks * 1_000) / (performance.now() - since);
}
