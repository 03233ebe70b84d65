import { Global, Module } from '@nestjs/common';
import pg from 'pg';
import {
  createLogger,
  loadConfig,
  logFaults,
  type Logger,
  newId,
  openQueueBackend,
  QueueBackend,
} from '#platform';
import { createPool, openPostgresLog, type PostgresLog, SharedPages, WakeUp } from '#transcripts';
import { AgentAccess } from '../agents/agent-access.js';
import { ServerConfig } from './server-config.js';
import { LogCursors } from './log-cursors.js';
import { LogTools } from './log-tools.js';
import { MetaCache } from './meta-cache.js';
import { LogHandle, ProcessLogger } from './process-handles.js';

const onError = (logger: Logger) => (error: unknown) =>
  logger.warn({ err: error }, 'a connection failed; it is made again');

/** The log, the queue, the database pool and the configuration: one of each, shared by all rooms of this process. */
@Global()
@Module({
  providers: [
    { provide: ServerConfig, useFactory: () => new ServerConfig(loadConfig()) },
    {
      provide: ProcessLogger,
      useFactory: ({ config }: ServerConfig) =>
        new ProcessLogger(createLogger('orchestrator', { level: config.logLevel })),
      inject: [ServerConfig],
    },
    {
      provide: LogHandle,
      useFactory: async ({ databaseUrl }: ServerConfig, { logger }: ProcessLogger) =>
        new LogHandle(
          await openPostgresLog({
            url: databaseUrl,
            applicationName: 'offshoot-orchestrator',
            onError: onError(logger),
          }),
        ),
      inject: [ServerConfig, ProcessLogger],
    },
    {
      provide: pg.Pool,
      useFactory: ({ databaseUrl }: ServerConfig, { logger }: ProcessLogger) =>
        createPool({
          url: databaseUrl,
          max: 6,
          applicationName: 'offshoot-views',
          // Views and dispatch follow from the log: what a crash of the server takes is written again from there.
          sessionOptions: '-c synchronous_commit=off',
          onError: onError(logger),
        }),
      inject: [ServerConfig, ProcessLogger],
    },
    {
      provide: QueueBackend,
      useFactory: ({ databaseUrl, config }: ServerConfig, { logger }: ProcessLogger) =>
        openQueueBackend({
          databaseUrl,
          ...(config.redisUrl === undefined ? {} : { redisUrl: config.redisUrl }),
          onFault: logFaults(logger),
        }),
      inject: [ServerConfig, ProcessLogger],
    },
    { provide: WakeUp, useFactory: ({ log }: { log: PostgresLog }) => log.wakeUp, inject: [LogHandle] },
    {
      provide: LogTools,
      useFactory: ({ log }: { log: PostgresLog }) => new LogTools(log.store, newId),
      inject: [LogHandle],
    },
    {
      provide: SharedPages,
      useFactory: ({ store }: LogTools, wakeUp: WakeUp) => new SharedPages(store, wakeUp),
      inject: [LogTools, WakeUp],
    },
    { provide: LogCursors, useFactory: ({ store }: LogTools) => new LogCursors(store), inject: [LogTools] },
    { provide: MetaCache, useFactory: (tools: LogTools) => new MetaCache(tools), inject: [LogTools] },
    {
      provide: AgentAccess,
      useFactory: (tools: LogTools, cache: MetaCache) => new AgentAccess(tools, cache),
      inject: [LogTools, MetaCache],
    },
  ],
  exports: [
    ServerConfig,
    ProcessLogger,
    LogHandle,
    pg.Pool,
    QueueBackend,
    WakeUp,
    LogTools,
    SharedPages,
    MetaCache,
    AgentAccess,
    LogCursors,
  ],
})
export class LogModule {}
