import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { QueueBackend } from '#platform';
import { AgentsModule } from './agents/agents.module.js';
import { ApprovalsModule } from './approvals/approvals.module.js';
import { AuthModule } from './auth/auth.module.js';
import { DashboardController } from './dashboard/dashboard.controller.js';
import { LoginLinksController } from './dashboard/login-links.controller.js';
import { FeedController } from './feed/feed.controller.js';
import { HealthController } from './health/health.controller.js';
import { Readiness } from './health/readiness.js';
import { ProblemDetailsFilter } from './http/problem-details.filter.js';
import { LifecycleModule } from './lifecycle/lifecycle.module.js';
import { LogModule } from './log/log.module.js';
import { LogTools } from './log/log-tools.js';
import { PolicyModule } from './policy/policy.module.js';
import { ProjectionsModule } from './projections/projections.module.js';
import { QuestionsModule } from './questions/questions.module.js';
import { RefusalsController } from './refusals/refusals.controller.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { StreamsModule } from './streams/streams.module.js';
import { UsageController } from './usage/usage.controller.js';
import { WorkersController } from './workers/workers.controller.js';

/** The orchestrator: commands and queries over HTTP, readers of the log, event streams. */
@Module({
  imports: [
    CqrsModule.forRoot({ rethrowUnhandled: true }),
    LogModule,
    AuthModule,
    ProjectionsModule,
    SessionsModule,
    AgentsModule,
    ApprovalsModule,
    QuestionsModule,
    PolicyModule,
    StreamsModule,
    LifecycleModule,
  ],
  controllers: [
    DashboardController,
    LoginLinksController,
    HealthController,
    WorkersController,
    FeedController,
    RefusalsController,
    UsageController,
  ],
  providers: [
    { provide: APP_FILTER, useClass: ProblemDetailsFilter },
    {
      provide: Readiness,
      useFactory: ({ store }: LogTools, queue: QueueBackend) => new Readiness(store, queue),
      inject: [LogTools, QueueBackend],
    },
  ],
})
export class AppModule {}
