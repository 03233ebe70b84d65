export { startEmbeddedPostgres } from './embedded-postgres/start-embedded-postgres.js';
export type { EmbeddedPostgres, StartEmbeddedPostgres } from './embedded-postgres/start-embedded-postgres.js';
export { startEphemeralPostgres } from './embedded-postgres/start-ephemeral-postgres.js';
export { EmbeddedPostgresError } from './embedded-postgres/embedded-postgres-error.js';
export type { EmbeddedPostgresErrorCode } from './embedded-postgres/embedded-postgres-error.js';
export { childEnvironment, pickEnvironment, withoutSecrets } from './config/environment.js';
