import { resolve } from 'node:path';
import { ConfigError } from './config-error.js';
import { environmentSchema, type CheckedEnvironment } from './environment-schema.js';
import type { OffshootConfig, ProviderConfig } from './offshoot-config.js';

/**
 * Reads the configuration from the environment (spec 05 §9). An empty variable counts as absent, as compose
 * files and shells write it. Relative paths start at the working directory of now. Throws `ConfigError` that
 * names every variable that cannot be used, and what is accepted.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): OffshootConfig {
  const given = Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== '');
  const checked = environmentSchema.safeParse(Object.fromEntries(given));
  if (checked.success) return toConfig(checked.data);
  throw new ConfigError(
    checked.error.issues.map((issue) => ({ variable: issue.path.join('.'), accepted: issue.message })),
  );
}

function toConfig(env: CheckedEnvironment): OffshootConfig {
  return {
    http: { host: env.HOST, port: env.PORT },
    dataDir: resolve(env.OFFSHOOT_DATA_DIR),
    workers: env.OFFSHOOT_WORKERS,
    workerConcurrency: env.OFFSHOOT_WORKER_CONCURRENCY,
    logLevel: env.OFFSHOOT_LOG_LEVEL,
    openai: provider(env.OPENAI_BASE_URL, env.OPENAI_API_KEY),
    anthropic: provider(env.ANTHROPIC_BASE_URL, env.ANTHROPIC_API_KEY),
    ...present('apiKey', env.OFFSHOOT_API_KEY),
    ...present('databaseUrl', env.DATABASE_URL),
    ...present('redisUrl', env.REDIS_URL),
    ...present('configFile', absolute(env.OFFSHOOT_CONFIG)),
    ...present('scriptsDir', absolute(env.OFFSHOOT_SCRIPTS)),
    ...present('scriptedBaseUrl', env.OFFSHOOT_SCRIPTED_BASE_URL),
  };
}

function provider(baseUrl: string | undefined, apiKey: string | undefined): ProviderConfig {
  return { ...present('baseUrl', baseUrl), ...present('apiKey', apiKey) };
}

/** Absent stays absent: an optional field is left out, never set to undefined. */
function present<Name extends string>(name: Name, value: string | undefined): { [K in Name]?: string } {
  const field: { [K in Name]?: string } = {};
  if (value !== undefined) field[name] = value;
  return field;
}

function absolute(path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(path);
}
