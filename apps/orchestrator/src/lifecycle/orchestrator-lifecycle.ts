import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type Logger, PresenceObserver } from '#platform';
import { deliverAgain } from '../delivery/deliver-again.js';
import { UndeliveredOutcomes } from '../delivery/undelivered-outcomes.js';
import { agentQueue, Dispatcher } from '../dispatch/dispatcher.js';
import { interruptOrphans } from '../liveness/interrupt-orphans.js';
import { quarantineUnclaimed } from '../liveness/quarantine-unclaimed.js';
import { Loop } from '../loops/loop.js';
import { ApprovalInbox } from '../projections/approval-inbox/approval-inbox.js';
import { QuestionInbox } from '../projections/question-inbox/question-inbox.js';
import { EventHub } from '../streams/event-hub.js';
import { endDueWaits, expireApprovals, expireQuestions } from '../timers/end-waits.js';
import { LogReaders } from './log-readers.js';
import { OrchestratorHandles } from './orchestrator-handles.js';

/** How long requests that were taken on may take to be answered when the process is told to end. */
const answerGraceMs = 3_000;

/**
 * Starts and stops everything of this process that runs by itself, in one place and one order: readers and loops first,
 * then what HTTP asked for, connections last, so that what was begun can still be written (field case N03).
 */
@Injectable()
export class OrchestratorLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger: Logger;
  private stops: (() => Promise<unknown>)[] = [];

  constructor(
    private readonly handles: OrchestratorHandles,
    private readonly hub: EventHub,
    private readonly inbox: ApprovalInbox,
    private readonly questions: QuestionInbox,
  ) {
    this.logger = handles.logger;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { hub } = this;
    const { tools, pages, cache, pool, wakeUp, queue, concurrency, keys } = this.handles;
    const dispatcher = new Dispatcher(pool, await queue.createQueue(agentQueue), concurrency);
    const dispatch = this.loop('dispatch', 500, async () => {
      await dispatcher.sendDue();
      return false;
    });
    const liveness = this.loop('liveness', 500, async () => {
      await quarantineUnclaimed(pool, tools);
      return (await interruptOrphans(pool, tools)) > 0;
    });
    const timers = this.loop('timers', 250, () => this.onTimer());
    const readers = new LogReaders({
      tools,
      pages,
      cache,
      pool,
      wakeUp,
      logger: this.logger,
      onDispatch: () => dispatch.wake(),
    });
    const observer = new PresenceObserver({
      databaseUrl: this.handles.databaseUrl,
      onDeath: (death) => {
        this.logger.warn({ worker: death.workerId, cause: death.cause }, 'a worker died');
        liveness.wake();
      },
      onFault: (error) => this.logger.warn({ err: error }, 'the look at the workers failed; it is repeated'),
    });
    await keys.start();
    await hub.start();
    readers.start();
    observer.start();
    for (const loop of [dispatch, liveness, timers]) loop.start();
    this.stops = [
      () => hub.stop(),
      () => observer.stop(),
      () => Promise.all([dispatch, liveness, timers].map((loop) => loop.stop())),
      () => readers.stop(),
      () => keys.stop(),
    ];
  }

  async beforeApplicationShutdown(): Promise<void> {
    const { requests } = this.handles;
    requests.refuse();
    for (const stop of this.stops) await stop();
    await requests.answered(answerGraceMs);
    await this.handles.close();
  }

  private async onTimer(): Promise<boolean> {
    await endDueWaits(this.handles.pool, this.handles.tools);
    await expireApprovals(this.inbox, this.handles.tools);
    await expireQuestions(this.questions, this.handles.tools);
    await this.deliverAgain();
    return false;
  }

  private deliverAgain(): Promise<void> {
    const { pool, tools, cache } = this.handles;
    const onFault = ({ agentId }: { readonly agentId: string }, error: unknown): void =>
      this.logger.warn(
        { err: error, agentId },
        'an outcome could still not be delivered; it is tried again later',
      );
    return deliverAgain(tools, new UndeliveredOutcomes(pool), { pool, cache, onFault });
  }

  private loop(name: string, restMs: number, round: () => Promise<boolean>): Loop {
    return new Loop({
      restMs,
      round,
      onFault: (thrown) =>
        this.logger.error({ err: thrown, loop: name }, 'a loop failed a round; it goes on'),
    });
  }
}
