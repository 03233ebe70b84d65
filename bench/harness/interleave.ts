/** One of several things measured side by side; `sample` answers one figure. */
export interface Contestant {
  readonly name: string;
  sample(round: number): number | Promise<number>;
}

/**
 * Takes turns, A B A B: single figures drift with the machine, and only what was measured in the same minutes may be
 * compared. Every second round runs backwards, so that none always follows the same other. The first `warmUps` rounds
 * are dropped. Answers the samples by name.
 */
export async function interleave(
  contestants: readonly Contestant[],
  { rounds, warmUps = 1 }: { readonly rounds: number; readonly warmUps?: number },
): Promise<ReadonlyMap<string, readonly number[]>> {
  const samples = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const order = round % 2 === 0 ? contestants : contestants.toReversed();
    for (const contestant of order) {
      const figure = await contestant.sample(round);
      if (round >= warmUps) samples.get(contestant.name)?.push(figure);
    }
  }
  return samples;
}
