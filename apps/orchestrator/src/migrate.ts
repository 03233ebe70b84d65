import { createLogger, loadConfig, startOrRefuse } from '#platform';
import { migrateDatabase } from './migrations/migrate-database.js';
import { ServerConfig } from './log/server-config.js';

await startOrRefuse(async () => {
  const { config, databaseUrl } = new ServerConfig(loadConfig());
  const logger = createLogger('migrate', { level: config.logLevel });
  await migrateDatabase(databaseUrl, (error) => logger.warn({ err: error }, 'a connection failed'));
  logger.info('the database is up to date');
});
