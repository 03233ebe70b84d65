import type { Pool } from 'pg';
import type { Logger } from '#platform';
import { type ApplyEvents, type ProjectionOptions, runProjection, type WakeUp } from '#transcripts';
import { deliverOutcomes } from '../delivery/deliver-outcomes.js';
import { deliverQuestions } from '../delivery/deliver-questions.js';
import { applyToDispatch } from '../dispatch/apply-to-dispatch.js';
import { cancelGrandchildren } from '../liveness/cancel-grandchildren.js';
import { releaseHeldBack } from '../liveness/release-held-back.js';
import type { LogTools } from '../log/log-tools.js';
import type { MetaCache } from '../log/meta-cache.js';
import { siblingsOver } from '../projections/agent-roster/running-siblings.js';
import { projectionsOver } from '../projections/projections.js';

/** A worker is waited for by everybody, a line in a list by people: dispatch looks first, the others a moment later and at more at once. */
const gatherMs = 15;

/** The readers that do something in the world, beside those that keep projections. */
export const readersWithEffects = ['dispatch', 'family', 'delivery', 'question-delivery'] as const;
type ReaderWithEffects = (typeof readersWithEffects)[number];

export interface LogReadersOptions {
  readonly tools: LogTools;
  readonly cache: MetaCache;
  readonly pool: Pool;
  readonly wakeUp: WakeUp;
  readonly logger: Logger;
  /** Called after a page that may have changed what waits for a worker is committed. */
  readonly onDispatch: () => void;
}

/**
 * The readers of the log that this process runs, each with its own checkpoint; of several orchestrators one works for each
 * reader and the others stand by. Names are stored: never rename one.
 */
export class LogReaders {
  private readonly stopping = new AbortController();
  private running: Promise<unknown> | null = null;

  constructor(private readonly options: LogReadersOptions) {}

  start(): void {
    const { cache, tools, onDispatch } = this.options;
    const dispatch: ApplyEvents = (client, events) => applyToDispatch(client, events, cache);
    const effects: Readonly<Record<Exclude<ReaderWithEffects, 'dispatch'>, ApplyEvents>> = {
      family: async (client, events) => {
        await releaseHeldBack(client, events, tools);
        await cancelGrandchildren(client, events, tools);
      },
      delivery: (client, events) => deliverOutcomes(tools, events, siblingsOver(client)),
      'question-delivery': (_client, events) => deliverQuestions(tools, events),
    };
    const projections = projectionsOver(cache).map(({ name, apply }) => [name, apply] as const);
    this.running = Promise.all([
      this.run('dispatch', dispatch, { onApplied: onDispatch }),
      ...[...projections, ...Object.entries(effects)].map(([name, apply]) =>
        this.run(name, apply, { gatherMs }),
      ),
    ]);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private run(
    name: string,
    apply: ApplyEvents,
    own: Pick<ProjectionOptions, 'gatherMs' | 'onApplied'>,
  ): Promise<void> {
    const { tools, pool, wakeUp, logger } = this.options;
    return runProjection({
      name,
      store: tools.store,
      pool,
      wakeUp,
      signal: this.stopping.signal,
      apply,
      ...own,
      onError: (error) =>
        logger.error({ err: error, reader: name }, 'a reader of the log failed; it tries again'),
    });
  }
}
