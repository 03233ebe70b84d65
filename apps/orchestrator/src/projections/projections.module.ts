import { Global, Module } from '@nestjs/common';
import pg from 'pg';
import { AgentRoster } from './agent-roster/agent-roster.js';
import { UndeliveredOutcomes } from '../delivery/undelivered-outcomes.js';
import { ApprovalInbox } from './approval-inbox/approval-inbox.js';
import { QuestionInbox } from './question-inbox/question-inbox.js';
import { Refusals } from './refusals/refusals.js';
import { UsageList } from './usage/usage-list.js';
import { FeedLagView } from './feed-lag/feed-lag-view.js';
import { WorkerList } from './worker-list/worker-list.js';

/** Read models over the projection tables. */
@Global()
@Module({
  providers: [
    { provide: AgentRoster, useFactory: (pool: pg.Pool) => new AgentRoster(pool), inject: [pg.Pool] },
    { provide: ApprovalInbox, useFactory: (pool: pg.Pool) => new ApprovalInbox(pool), inject: [pg.Pool] },
    { provide: QuestionInbox, useFactory: (pool: pg.Pool) => new QuestionInbox(pool), inject: [pg.Pool] },
    { provide: Refusals, useFactory: (pool: pg.Pool) => new Refusals(pool), inject: [pg.Pool] },
    {
      provide: UndeliveredOutcomes,
      useFactory: (pool: pg.Pool) => new UndeliveredOutcomes(pool),
      inject: [pg.Pool],
    },
    { provide: UsageList, useFactory: (pool: pg.Pool) => new UsageList(pool), inject: [pg.Pool] },
    { provide: WorkerList, useFactory: (pool: pg.Pool) => new WorkerList(pool), inject: [pg.Pool] },
    { provide: FeedLagView, useFactory: (pool: pg.Pool) => new FeedLagView(pool), inject: [pg.Pool] },
  ],
  exports: [
    AgentRoster,
    ApprovalInbox,
    QuestionInbox,
    Refusals,
    UsageList,
    WorkerList,
    FeedLagView,
    UndeliveredOutcomes,
  ],
})
export class ProjectionsModule {}
