import { newId, jobId, openQueueBackend } from '#platform';
import { quantile } from '../harness/median.js';
import type { HttpModel } from './http-model.js';
import type { Product } from './product.js';

/** Milliseconds from the launch over HTTP to the fork's first model request, one launch after the other. */
export async function firstRequestMs(product: Product, model: HttpModel, launches: number): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round < launches; round += 1) {
    const arrival = model.nextRequest();
    const since = performance.now();
    const agentId = await product.launchShort();
    took.push((await arrival) - since);
    await product.untilEnded(agentId);
  }
  return quantile(took, 0.5);
}

/** Milliseconds from adding a job to its processor, on the same backend, with nothing else in between. */
export async function bareJobMs(
  where: { databaseUrl: string; redisUrl?: string },
  jobs: number,
): Promise<number> {
  const backend = await openQueueBackend(where);
  let arrive: (at: number) => void = () => undefined;
  const name = `bench-${newId()}`;
  const processor = (): Promise<void> => {
    arrive(performance.now());
    return Promise.resolve();
  };
  await backend.createWorker(name, processor, { concurrency: 16 });
  const queue = await backend.createQueue(name);
  const took: number[] = [];
  for (let round = 0; round < jobs; round += 1) {
    const arrival = new Promise<number>((resolve) => (arrive = resolve));
    const since = performance.now();
    await queue.enqueue({ id: jobId(newId(), 1, 1), payload: { round } });
    took.push((await arrival) - since);
  }
  await backend.close();
  return quantile(took, 0.5);
}
