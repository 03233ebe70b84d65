import type { Pool } from 'pg';
import type { Logger } from '#platform';
import { isSound, type LogSource, type ProjectionOptions, runProjection, type WakeUp } from '#transcripts';
import { deliverOutcomes } from '../delivery/deliver-outcomes.js';
import { concernsQuestionDelivery, deliverQuestions } from '../delivery/deliver-questions.js';
import { isMended, lookAgain } from '../delivery/look-again.js';
import { concernsDelivery, type DeliveryViews } from '../delivery/tell-parent.js';
import { applyToDispatch, concernsDispatch } from '../dispatch/apply-to-dispatch.js';
import { blockDamaged } from '../liveness/block-damaged.js';
import { cancelGrandchildren, concernsGrandchildren } from '../liveness/cancel-grandchildren.js';
import { concernsHeldBack, releaseHeldBack } from '../liveness/release-held-back.js';
import type { LogTools } from '../log/log-tools.js';
import type { MetaCache } from '../log/meta-cache.js';
import { SkippedRecords } from '../log/skipped-records.js';
import { childrenOver } from '../projections/agent-roster/children-of.js';
import { siblingsOver } from '../projections/agent-roster/running-siblings.js';
import { projectionsOver } from '../projections/projections.js';

/**
 * A worker is waited for by everybody, an outcome or a question by an agent, a line in a list by people: dispatch looks at once, the others
 * later and at more at once.
 */
const gatherMs = Object.freeze({ effect: 15, list: 50 });
/** Lists whose ids programs take from the event stream and use at once. */
const promptLists: ReadonlySet<string> = new Set(['approval-inbox', 'question-inbox']);

/** The readers that do something in the world, beside those that keep projections. */
export const readersWithEffects = ['dispatch', 'family', 'delivery', 'question-delivery'] as const;
type ReaderWithEffects = (typeof readersWithEffects)[number];

export interface LogReadersOptions {
  readonly tools: LogTools;
  /** The end of the log, read once for all of them. */
  readonly pages: LogSource;
  readonly cache: MetaCache;
  readonly pool: Pool;
  readonly wakeUp: WakeUp;
  readonly logger: Logger;
  /** Called after a page that may have changed what waits for a worker is committed. */
  readonly onDispatch: () => void;
}

/** What a reader does, and what it needs not look at. */
type Reader = Pick<
  ProjectionOptions,
  'name' | 'apply' | 'concerns' | 'takesDamage' | 'gatherMs' | 'onApplied'
>;

/**
 * The readers of the log that this process runs, each with its own checkpoint; of several orchestrators one works for each
 * reader and the others stand by. Names are stored: never rename one.
 */
export class LogReaders {
  private readonly stopping = new AbortController();
  private running: Promise<unknown> | null = null;

  private readonly skipped: SkippedRecords;

  constructor(private readonly options: LogReadersOptions) {
    this.skipped = new SkippedRecords(options.logger);
  }

  start(): void {
    const { cache } = this.options;
    const lists = projectionsOver(cache).map((list) => ({
      ...list,
      gatherMs: promptLists.has(list.name) ? gatherMs.effect : gatherMs.list,
    }));
    const effects = this.effects().map((reader) => ({ ...reader, gatherMs: gatherMs.effect }));
    this.running = Promise.all(
      [this.dispatchReader(), ...effects, ...lists].map((reader) => this.run(reader)),
    );
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private dispatchReader(): Reader {
    const { cache, onDispatch } = this.options;
    return {
      name: 'dispatch',
      apply: (client, events) => applyToDispatch(client, events, cache),
      concerns: (event) => {
        cache.follow(event);
        return concernsDispatch(event);
      },
      onApplied: onDispatch,
    };
  }

  private effects(): readonly (Reader & { readonly name: ReaderWithEffects })[] {
    const { tools, cache, logger } = this.options;
    const views: Omit<DeliveryViews, 'siblings'> = {
      childOf: (event) => cache.at(event),
      parentOf: tools.current,
    };
    return [
      {
        name: 'family',
        takesDamage: true,
        concerns: (event) => concernsHeldBack(event) || concernsGrandchildren(event),
        apply: async (client, events) => {
          await blockDamaged(
            events.filter((event) => !isSound(event)),
            tools,
          );
          await releaseHeldBack(client, events.filter(isSound), tools);
          await cancelGrandchildren(client, events.filter(isSound), tools);
        },
      },
      {
        name: 'delivery',
        concerns: (event) => concernsDelivery(event) || isMended(event),
        apply: async (client, events) => {
          const ends = await lookAgain(events, concernsDelivery, {
            store: tools.store,
            childrenOf: childrenOver(client),
          });
          await deliverOutcomes(tools, ends, {
            client,
            views: { ...views, siblings: siblingsOver(client) },
            onFault: ({ stream: agentId }, error) =>
              logger.error({ err: error, agentId }, 'an outcome could not be delivered; it is tried again'),
          });
        },
      },
      {
        name: 'question-delivery',
        concerns: (event) => concernsQuestionDelivery(event) || isMended(event),
        apply: async (client, events) =>
          deliverQuestions(
            tools,
            await lookAgain(events, concernsQuestionDelivery, {
              store: tools.store,
              childrenOf: childrenOver(client),
            }),
          ),
      },
    ];
  }

  private run(reader: Reader): Promise<void> {
    const { pages, pool, wakeUp, logger } = this.options;
    return runProjection({
      ...reader,
      onSkipped: this.skipped.note,
      store: pages,
      pool,
      wakeUp,
      signal: this.stopping.signal,
      onError: (error) =>
        logger.error({ err: error, reader: reader.name }, 'a reader of the log failed; it tries again'),
    });
  }
}
