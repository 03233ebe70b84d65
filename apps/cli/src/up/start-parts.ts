import { childEnvironment, parseStartRefusal } from '#platform';
import { awaitOrchestrator } from './await-orchestrator.js';
import { defaultBackoff } from './backoff.js';
import type { ChildListener } from './child-event.js';
import { parseListening, type Listening } from './parse-listening.js';
import { builtPrograms } from './programs.js';
import { runMigrations } from './run-migrations.js';
import { startScriptedModels } from './scripted-models.js';
import type { SupervisorOptions } from './supervisor-options.js';
import { SupervisedChild, type ChildPlan } from './supervised-child.js';
import { superviseDatabase } from './supervised-database.js';
import type { SupervisedParts } from './supervised-parts.js';

type StartOptions = SupervisorOptions & { readonly signal: AbortSignal };
type SharedPlan = Pick<ChildPlan, 'backoff' | 'output' | 'onChild'>;

/**
 * Starts the parts in the order in which they need each other: database, migrations, model server,
 * orchestrator until it is ready, workers. Each is put into `parts` as soon as it runs. The signal ends the start with its reason.
 */
export async function startParts(
  options: StartOptions,
  parts: SupervisedParts,
  onChange: () => void,
): Promise<Listening & { readonly databaseUrl: string }> {
  const programs = options.programs ?? builtPrograms();
  const { signal } = options;
  const shared = sharedPlan(options, onChange);
  const databaseUrl = await startDatabase(options, parts, shared);
  const base = baseEnvironment(options, databaseUrl);
  signal.throwIfAborted();
  await runMigrations(programs.migrate, { env: childEnvironment(base), output: shared.output, signal });
  signal.throwIfAborted();
  const scripted = await startModels(options, parts, { ...shared, script: programs.modelServer });
  signal.throwIfAborted();
  const env = { ...base, ...scripted };
  const listening = await startOrchestrator(options, parts, {
    ...shared,
    script: programs.orchestrator,
    env: childEnvironment(env),
  });
  signal.throwIfAborted();
  // The key opens every door of the API; a worker runs the tools of agents and needs no key.
  const workerEnv = childEnvironment({ ...env, OFFSHOOT_API_KEY: undefined });
  for (let index = 0; index < options.config.workers; index += 1) {
    const worker = new SupervisedChild({
      ...shared,
      role: 'worker',
      index,
      script: programs.worker,
      env: workerEnv,
      onMessage: (message) => tellRefusal(message, shared.output),
    });
    parts.workers.push(worker);
    worker.start();
  }
  return { ...listening, databaseUrl };
}

/** A worker that cannot start now is tried again, as the orchestrator runs; why must be seen. */
function tellRefusal(message: unknown, output: SharedPlan['output']): void {
  const refusal = parseStartRefusal(message);
  if (refusal !== undefined && output === 'inherit') process.stderr.write(`A worker: ${refusal}\n`);
}

function sharedPlan(options: SupervisorOptions, onChange: () => void): SharedPlan {
  const onChild: ChildListener = (event) => {
    options.onChild?.(event);
    onChange();
  };
  return { backoff: options.backoff ?? defaultBackoff, output: options.output ?? 'inherit', onChild };
}

async function startDatabase(
  options: StartOptions,
  parts: SupervisedParts,
  shared: SharedPlan,
): Promise<string> {
  const { databaseUrl, dataDir } = options.config;
  if (databaseUrl !== undefined) return databaseUrl;
  parts.database = await superviseDatabase(dataDir, shared.backoff, shared.onChild, options.signal);
  return parts.database.url;
}

function baseEnvironment(
  { config, env }: SupervisorOptions,
  databaseUrl: string,
): Record<string, string | undefined> {
  return {
    ...env,
    DATABASE_URL: databaseUrl,
    OFFSHOOT_DATA_DIR: config.dataDir,
    HOST: config.http.host,
    PORT: String(config.http.port),
    OFFSHOOT_WORKER_CONCURRENCY: String(config.workerConcurrency),
    OFFSHOOT_LOG_LEVEL: config.logLevel,
    REDIS_URL: config.redisUrl,
    OFFSHOOT_API_KEY: config.apiKey,
    OFFSHOOT_CONFIG: config.configFile,
  };
}

async function startModels(
  { config, env: given, modelServerTimeoutMs = 30_000, signal }: StartOptions,
  parts: SupervisedParts,
  plan: SharedPlan & { readonly script: string },
): Promise<Record<string, string>> {
  if (config.scriptsDir === undefined) return {};
  // It plays a provider: it gets neither the database nor a key.
  const env = childEnvironment({
    ...given,
    OFFSHOOT_API_KEY: undefined,
    DATABASE_URL: undefined,
    REDIS_URL: undefined,
  });
  const models = await startScriptedModels(
    { ...plan, env },
    { scriptsDir: config.scriptsDir, timeoutMs: modelServerTimeoutMs, signal },
  );
  parts.modelServer = models.child;
  return { OFFSHOOT_SCRIPTED_BASE_URL: models.url };
}

async function startOrchestrator(
  options: StartOptions,
  parts: SupervisedParts,
  plan: SharedPlan & Pick<ChildPlan, 'script' | 'env'>,
): Promise<Listening> {
  let listening: Listening | undefined;
  const onMessage = (message: unknown): void => {
    listening = parseListening(message) ?? listening;
  };
  const orchestrator = new SupervisedChild({ ...plan, role: 'orchestrator', index: 0, onMessage });
  parts.orchestrator = orchestrator;
  orchestrator.start();
  const address = await awaitOrchestrator({
    address: () => listening?.address,
    refusal: () => orchestrator.refusal,
    signal: options.signal,
    deaths: () => orchestrator.deaths,
    timeoutMs: options.readyTimeoutMs ?? 120_000,
  });
  const dashboardUrl = listening?.dashboardUrl;
  return dashboardUrl === undefined ? { address } : { address, dashboardUrl };
}
