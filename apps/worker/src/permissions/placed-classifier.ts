import type { ModelPlaces } from '#platform';
import { type Classification, type Classified, type Classifier, unasked } from './classifier.js';

export interface PlacedClassifierOptions {
  readonly inner: Classifier;
  /** The spec of its model, and how many may ask that at once over all workers. */
  readonly model: string;
  readonly limit: number;
  readonly places: Pick<ModelPlaces, 'take'>;
  /** How long its place is kept for a request that nobody ends. */
  readonly holdMs: number;
}

/** How long a call waits for a place, in its worker, before a person is asked about it. */
const patienceMs = 60_000;

/**
 * A classifier whose model has a limit: it counts beside the agents that run with that model, and waits for its turn. An agent that runs
 * with it itself asks one thing at a time, so its own place stands for this request too.
 */
export class PlacedClassifier implements Classifier {
  constructor(private readonly options: PlacedClassifierOptions) {}

  async classify(subject: Classification, signal: AbortSignal): Promise<Classified> {
    const { inner, model } = this.options;
    if (subject.agentModel === model) return inner.classify(subject, signal);
    const release = await this.take(signal);
    if (typeof release === 'string')
      return unasked(model, `The classifier could not be asked: there was no place for it (${release}).`);
    try {
      return await inner.classify(subject, signal);
    } finally {
      // A place that cannot be given back lapses.
      await release().catch(() => undefined);
    }
  }

  private async take(signal: AbortSignal): Promise<(() => Promise<void>) | string> {
    const { places, model, limit, holdMs } = this.options;
    try {
      const waiting = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
      return await places.take(model, { limit, holdMs: holdMs + patienceMs }, waiting);
    } catch (thrown) {
      return thrown instanceof Error ? thrown.message : String(thrown);
    }
  }
}
