import { Module } from '@nestjs/common';
import pg from 'pg';
import { QueueBackend } from '#platform';
import { SharedPages } from '#transcripts';
import { KeyKeeper } from '../auth/key-keeper.js';
import { RequestsUnderWay } from '../http/requests-under-way.js';
import { LogTools } from '../log/log-tools.js';
import { MetaCache } from '../log/meta-cache.js';
import { LogHandle, ProcessLogger } from '../log/process-handles.js';
import { ServerConfig } from '../log/server-config.js';
import { StreamsModule } from '../streams/streams.module.js';
import { OrchestratorHandles } from './orchestrator-handles.js';
import { OrchestratorLifecycle } from './orchestrator-lifecycle.js';

type Injected = readonly [
  LogHandle,
  pg.Pool,
  QueueBackend,
  LogTools,
  SharedPages,
  MetaCache,
  ProcessLogger,
  ServerConfig,
  KeyKeeper,
  RequestsUnderWay,
];

@Module({
  imports: [StreamsModule],
  providers: [
    {
      provide: OrchestratorHandles,
      useFactory: (
        ...[{ log }, pool, queue, tools, pages, cache, { logger }, server, keys, requests]: Injected
      ) =>
        new OrchestratorHandles({
          log,
          pool,
          queue,
          tools,
          pages,
          cache,
          logger,
          databaseUrl: server.databaseUrl,
          concurrency: server.operator.concurrency,
          keys,
          requests,
        }),
      inject: [
        LogHandle,
        pg.Pool,
        QueueBackend,
        LogTools,
        SharedPages,
        MetaCache,
        ProcessLogger,
        ServerConfig,
        KeyKeeper,
        RequestsUnderWay,
      ],
    },
    RequestsUnderWay,
    OrchestratorLifecycle,
  ],
})
export class LifecycleModule {}
