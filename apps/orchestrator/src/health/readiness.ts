import type { QueueBackend } from '#platform';
import type { TranscriptStore } from '#transcripts';

/** Ready means: the log answers and the queue answers. */
export class Readiness {
  constructor(
    private readonly store: TranscriptStore,
    private readonly queue: QueueBackend,
  ) {}

  async check(): Promise<boolean> {
    const [log, queue] = await Promise.all([
      this.store.logEnd().then(
        () => true,
        () => false,
      ),
      this.queue.answers(),
    ]);
    return log && queue;
  }
}
