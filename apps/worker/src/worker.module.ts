import { Module } from '@nestjs/common';
import {
  createLogger,
  loadConfig,
  logFaults,
  ModelPlaces,
  newId,
  openQueueBackend,
  SharedPauses,
  workerApplicationName,
  WorkerNotes,
} from '#platform';
import { openPostgresLog } from '#transcripts';
import { HookReader } from './hooks/hook-reader.js';
import { AgentProcessor } from './jobs/agent.processor.js';
import { InProcessProviderLimiter } from './models/in-process-provider-limiter.js';
import { SharedProviderLimiter } from './models/shared-provider-limiter.js';
import { RunHost } from './run/run-host.js';
import { runHostTools } from './run/run-host-tools.js';
import { WorkerConfig } from './worker-config.js';
import { WorkerHandles } from './worker-handles.js';
import { WorkerLifecycle } from './worker-lifecycle.js';

/** The worker: jobs in, models and tools out. */
@Module({
  providers: [
    { provide: WorkerConfig, useFactory: () => new WorkerConfig(loadConfig()) },
    { provide: WorkerHandles, useFactory: openHandles, inject: [WorkerConfig] },
    {
      provide: RunHost,
      useFactory: (handles: WorkerHandles, { config }: WorkerConfig) =>
        new RunHost(runHostTools(handles, config, limiterOf(handles))),
      inject: [WorkerHandles, WorkerConfig],
    },
    {
      provide: HookReader,
      useFactory: (handles: WorkerHandles, { config }: WorkerConfig) => new HookReader(handles, config),
      inject: [WorkerHandles, WorkerConfig],
    },
    {
      provide: AgentProcessor,
      useFactory: (host: RunHost, { notes }: WorkerHandles) => new AgentProcessor(host, notes),
      inject: [RunHost, WorkerHandles],
    },
    WorkerLifecycle,
  ],
})
export class WorkerModule {}

/** Requests of one worker under one provider key at a time. */
const maxConcurrent = 64;

function limiterOf({ pauses, logger }: WorkerHandles): SharedProviderLimiter {
  return new SharedProviderLimiter({
    local: new InProcessProviderLimiter({ maxConcurrent }),
    pauses,
    onFault: (thrown) => logger.warn({ err: thrown }, 'the pauses of other workers are not known for now'),
  });
}

async function openHandles({ config, databaseUrl, operator }: WorkerConfig): Promise<WorkerHandles> {
  const workerId = newId();
  const logger = createLogger('worker', { level: config.logLevel });
  const applicationName = workerApplicationName(workerId);
  const queue = await openQueueBackend({
    databaseUrl,
    applicationName,
    ...(config.redisUrl === undefined ? {} : { redisUrl: config.redisUrl }),
    onFault: logFaults(logger),
  });
  const onError = (error: Error): void =>
    logger.warn({ err: error }, 'a connection failed; it is made again');
  const log = await openPostgresLog({ url: databaseUrl, applicationName, onError });
  const beside = { databaseUrl, applicationName, onFault: onError };
  return new WorkerHandles({
    workerId,
    databaseUrl,
    concurrency: config.workerConcurrency,
    operator,
    log,
    queue,
    pauses: new SharedPauses(beside),
    notes: new WorkerNotes(workerId, beside),
    places: new ModelPlaces(workerId, beside),
    logger,
  });
}
