export { startEmbeddedPostgres } from './embedded-postgres/start-embedded-postgres.js';
export type { EmbeddedPostgres, StartEmbeddedPostgres } from './embedded-postgres/start-embedded-postgres.js';
export { startEphemeralPostgres } from './embedded-postgres/start-ephemeral-postgres.js';
export { EmbeddedPostgresError } from './embedded-postgres/embedded-postgres-error.js';
export type { EmbeddedPostgresErrorCode } from './embedded-postgres/embedded-postgres-error.js';
export { childEnvironment, pickEnvironment, withoutSecrets } from './config/environment.js';
export { openQueueBackend } from './queue/open-queue-backend.js';
export type { QueueBackendOptions } from './queue/open-queue-backend.js';
export { QueueBackend } from './queue/queue-backend.js';
export type {
  EnqueueOutcome,
  JobPayload,
  JobProcessor,
  JobQueue,
  JobWorker,
  JobWorkerOptions,
  QueueDepth,
  QueuedJob,
  QueueFault,
  TakenJob,
  WorkerClosed,
} from './queue/queue-backend.js';
export { isJobId, jobId, parseJobId } from './queue/job-id.js';
export type { JobId } from './queue/job-id.js';
export { RedisMayEvict } from './queue/redis-eviction.js';
export { sessionUrl } from './presence/session-url.js';
export type { SessionTraits } from './presence/session-url.js';
export { noticeDeadClients } from './presence/session-settings.js';
export { workerApplicationName } from './presence/worker-application-name.js';
