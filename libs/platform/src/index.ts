export { startEmbeddedPostgres } from './embedded-postgres/start-embedded-postgres.js';
export type { EmbeddedPostgres, StartEmbeddedPostgres } from './embedded-postgres/start-embedded-postgres.js';
export { embeddedClusterExists } from './embedded-postgres/embedded-cluster-exists.js';
export { startEphemeralPostgres } from './embedded-postgres/start-ephemeral-postgres.js';
export { EmbeddedPostgresError } from './embedded-postgres/embedded-postgres-error.js';
export type { EmbeddedPostgresErrorCode } from './embedded-postgres/embedded-postgres-error.js';
export { findChromium } from './config/find-chromium.js';
export { isLoopbackHost } from './config/is-loopback-host.js';
export { loadConfig } from './config/load-config.js';
export { loadOperatorConfig } from './config/operator/load-operator-config.js';
export { defaultOperatorConfig } from './config/operator/operator-config.js';
export type {
  HookConfig,
  HookEvent,
  OperatorConfig,
  RuleTarget,
  TrustedServer,
} from './config/operator/operator-config.js';
export { ConfigError } from './config/config-error.js';
export type { ConfigIssue } from './config/config-error.js';
export type { LogLevel, OffshootConfig, ProviderConfig } from './config/offshoot-config.js';
export { errorCode, errorMessage } from './errors/error-code.js';
export { newId } from './ids/new-id.js';
export { hashKey, isApiKey, newApiKey } from './keys/api-key.js';
export { adminKeyFile, readOrMakeAdminKey } from './keys/admin-key.js';
export type { AdminKey } from './keys/admin-key.js';
export { defaultTenant, keyScopes, scopesWithin } from './keys/key-scopes.js';
export type { KeyScope } from './keys/key-scopes.js';
export { KeyStore } from './keys/key-store.js';
export type { LiveKey, MadeKey, Revocation, StoredKey } from './keys/key-store.js';
export { KeyWatch } from './keys/key-watch.js';
export type { KeyWatchOptions } from './keys/key-watch.js';
export { keysMigration, keysMigrationDown } from './keys/keys-migration.js';
export { parseNewKeyRequest } from './keys/new-key-request.js';
export type { NewKeyRequest, NewKeyResult } from './keys/new-key-request.js';
export { createLogger } from './logging/create-logger.js';
export type { Logger, LoggerOptions } from './logging/create-logger.js';
export { redact, redactText } from './logging/redact.js';
export { isRunning, waitForExit } from './embedded-postgres/process-state.js';
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
export { logFaults } from './queue/quiet-faults.js';
export { sessionUrl } from './presence/session-url.js';
export type { SessionTraits } from './presence/session-url.js';
export { DedicatedSession } from './presence/dedicated-session.js';
export { noticeDeadClients } from './presence/session-settings.js';
export { workerApplicationName } from './presence/worker-application-name.js';
export { DeathCause } from './presence/death-cause.js';
export type { Death } from './presence/judge-workers.js';
export { livingWorkersSql } from './presence/living-workers.js';
export type { LivingWorker } from './presence/living-workers.js';
export { presenceMigration } from './presence/presence-migration.js';
export { PresenceObserver } from './presence/presence-observer.js';
export type { PresenceObserverOptions } from './presence/presence-observer.js';
export type { ObserverTiming, PresenceTiming } from './presence/presence-timing.js';
export { WorkerNotes } from './presence/worker-notes.js';
export { WorkerPresence } from './presence/worker-presence.js';
export type { PresenceLoss, WorkerPresenceOptions } from './presence/worker-presence.js';
export { countedRequestsSql, ModelPlaces } from './pauses/model-places.js';
export { SharedPauses } from './pauses/shared-pauses.js';
export { pausesMigration } from './pauses/pauses-migration.js';
export { endWithSupervisor } from './process/end-with-supervisor.js';
export { checkListenAddress, listenRefusal } from './process/listen-refusal.js';
export { parseStartRefusal, startOrRefuse } from './process/start-or-refuse.js';
export { StartRefusedError } from './process/start-refused-error.js';
