/** Address and key of a model provider; each absent where it is not set. */
export interface ProviderConfig {
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

/** Everything the environment decides (spec 05 §9), checked; paths are absolute. */
export interface OffshootConfig {
  /** Address the orchestrator listens on: `HOST`, `PORT` (0 takes a free port). */
  readonly http: { readonly host: string; readonly port: number };
  /** `OFFSHOOT_DATA_DIR`: the embedded database, keys. */
  readonly dataDir: string;
  /** `OFFSHOOT_API_KEY`: the admin key, in the place of the one in the key file. */
  readonly apiKey?: string;
  /** `DATABASE_URL`; absent means the embedded database. */
  readonly databaseUrl?: string;
  /** `REDIS_URL`; absent means BullMQ on PostgreSQL. */
  readonly redisUrl?: string;
  /** `OFFSHOOT_WORKERS`: worker processes of `start`. */
  readonly workers: number;
  /** `OFFSHOOT_WORKER_CONCURRENCY`: agents at once per worker. */
  readonly workerConcurrency: number;
  readonly openai: ProviderConfig;
  readonly anthropic: ProviderConfig;
  /** `OFFSHOOT_CONFIG`: file for hooks, prices, limits, permission rules, trusted MCP servers, model limits. */
  readonly configFile?: string;
  /** `OFFSHOOT_SCRIPTS`: folder of model scripts; `start` then runs the scripted model server over it. */
  readonly scriptsDir?: string;
  /** `OFFSHOOT_SCRIPTED_BASE_URL`: where the scripted model server listens. */
  readonly scriptedBaseUrl?: string;
  /** `OFFSHOOT_LOG_LEVEL`. */
  readonly logLevel: LogLevel;
}

/** The levels of the log, quietest last. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];
