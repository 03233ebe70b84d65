import type { OffshootConfig } from '#platform';

/** The configuration of a worker, with what it cannot do without. Also the injection token. */
export class WorkerConfig {
  readonly databaseUrl: string;

  constructor(readonly config: OffshootConfig) {
    if (config.databaseUrl === undefined) {
      throw new Error(
        'A worker needs DATABASE_URL; "npm start" runs one together with an embedded database.',
      );
    }
    this.databaseUrl = config.databaseUrl;
  }
}
