import { loadOperatorConfig, type OffshootConfig, type OperatorConfig, StartRefusedError } from '#platform';

/** The configuration of a worker, with what it cannot do without. Also the injection token. */
export class WorkerConfig {
  readonly databaseUrl: string;
  /** What the file of `OFFSHOOT_CONFIG` says; a file that cannot be used ends the start. */
  readonly operator: OperatorConfig;

  constructor(readonly config: OffshootConfig) {
    if (config.databaseUrl === undefined) {
      throw new StartRefusedError(
        'A worker needs DATABASE_URL; "npm start" runs one together with an embedded database.',
      );
    }
    this.databaseUrl = config.databaseUrl;
    this.operator = loadOperatorConfig(config.configFile);
  }
}
