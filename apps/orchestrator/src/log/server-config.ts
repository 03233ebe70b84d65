import {
  isLoopbackHost,
  loadOperatorConfig,
  StartRefusedError,
  type OffshootConfig,
  type OperatorConfig,
} from '#platform';

/** The configuration of an orchestrator, with what it cannot do without. Also the injection token. */
export class ServerConfig {
  readonly databaseUrl: string;
  readonly operator: OperatorConfig;

  constructor(readonly config: OffshootConfig) {
    if (config.databaseUrl === undefined) {
      throw new StartRefusedError(
        'An orchestrator needs DATABASE_URL; "npm start" runs one together with an embedded database.',
      );
    }
    this.databaseUrl = config.databaseUrl;
    this.operator = loadOperatorConfig(config.configFile);
  }

  /** True while only this machine can reach the server. */
  get isLoopback(): boolean {
    return isLoopbackHost(this.config.http.host);
  }
}
