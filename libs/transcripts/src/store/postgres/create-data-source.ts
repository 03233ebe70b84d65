import { DataSource, type MigrationInterface } from 'typeorm';
import { connectionConfig } from './create-pool.js';
import { CreateEventLog } from './migrations/create-event-log.js';
import { RememberArchived } from './migrations/remember-archived.js';

export type MigrationClass = new () => MigrationInterface;

export interface DataSourceSettings {
  readonly url: string;
  /** Migrations of other rooms (projections, presence, keys); their names end in 13 digits above the log's. */
  readonly extraMigrations?: readonly MigrationClass[];
  readonly poolSize?: number;
  readonly applicationName?: string;
  readonly onError?: (error: Error) => void;
}

/** A TypeORM connection, not opened yet, that knows all migrations and never changes the schema by itself. */
export function createDataSource(settings: DataSourceSettings): DataSource {
  const { connectionString: _url, application_name: applicationName, ...extra } = connectionConfig(settings);
  return new DataSource({
    type: 'postgres',
    url: settings.url,
    applicationName: applicationName ?? 'offshoot',
    poolSize: settings.poolSize ?? 4,
    synchronize: false,
    migrationsRun: false,
    migrationsTransactionMode: 'each',
    migrationsTableName: 'migration',
    migrations: [CreateEventLog, RememberArchived, ...(settings.extraMigrations ?? [])],
    poolErrorHandler: settings.onError ?? (() => undefined),
    extra,
  });
}
