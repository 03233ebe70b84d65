import { adminKeyFile, isLoopbackHost, readOrMakeAdminKey } from '#platform';
import { checkStart } from './check-start.js';
import { holdDataDir, type HeldDataDir } from './hold-data-dir.js';
import type { Listening } from './parse-listening.js';
import { startParts } from './start-parts.js';
import { StartStoppedError } from './start-stopped-error.js';
import { SupervisedParts } from './supervised-parts.js';
import type { SupervisorOptions } from './supervisor-options.js';
import type { SupervisorPids } from './supervisor-pids.js';

/** The running product. */
export interface Supervisor extends Listening {
  /** Connection string of the database in use: never log it. */
  readonly databaseUrl: string;
  /** Where the admin key is, unless it came from the environment. */
  readonly keyFile?: string;
  pids(): SupervisorPids;
  /** Stops workers, orchestrator, model server and database, in this order. */
  stop(): Promise<void>;
  /** Ends every process at once; the database recovers on its next start. */
  stopNow(): Promise<void>;
}

/** A product that starts, and can be stopped before it has started. */
export interface SupervisorStart {
  /**
   * Rejects with `ConfigError`, `StartRefusedError`, `DataDirHeldError`, `EmbeddedPostgresError`, `StartFailedError`, or with
   * `StartStoppedError` after a stop; nothing is left running then.
   */
  readonly started: Promise<Supervisor>;
  /** Stops the product, or its start at the next step; answers when nothing runs any more. */
  stop(): Promise<void>;
  /** As `stop`, without waiting for any part to end by itself. */
  stopNow(): Promise<void>;
}

/** Begins to run the whole product of one data directory (spec 01, "Embedded default") and keeps its processes alive. */
export function beginSupervisor(options: SupervisorOptions): SupervisorStart {
  const parts = new SupervisedParts(options.stopLimitMs ?? 30_000);
  const stopping = new AbortController();
  const started = run(options, parts, stopping.signal);
  const whatStarted = async (): Promise<Supervisor | undefined> => {
    stopping.abort(new StartStoppedError());
    return await started.catch(() => undefined);
  };
  return {
    started,
    stop: async () => await (await whatStarted())?.stop(),
    stopNow: async () => {
      const settled = whatStarted();
      await parts.stopNow();
      await (await settled)?.stopNow();
    },
  };
}

/** Runs the product as `beginSupervisor` does, for callers that let it start. */
export function startSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  return beginSupervisor(options).started;
}

async function run(
  options: SupervisorOptions,
  parts: SupervisedParts,
  signal: AbortSignal,
): Promise<Supervisor> {
  const { config } = options;
  const held = await holdDataDir(config.dataDir);
  try {
    await checkStart(config);
    // Reached from other machines, it takes keys that somebody made; its orchestrator looks for them (spec 05 §7).
    const makesKey = config.apiKey === undefined && isLoopbackHost(config.http.host);
    if (makesKey) await readOrMakeAdminKey(config.dataDir);
    signal.throwIfAborted();
    const started = await startParts({ ...options, signal }, parts, () => {
      // A full disk must not end the product; the file is a convenience.
      held.publish({ pids: parts.pids() }).catch(() => undefined);
    });
    await held.publish({ address: started.address, pids: parts.pids() });
    const keyFile = makesKey ? { keyFile: adminKeyFile(config.dataDir) } : {};
    return { ...started, ...keyFile, ...handles(parts, held) };
  } catch (error) {
    await parts.stop();
    await held.release();
    // What fails under a stop fails because of it.
    signal.throwIfAborted();
    throw error;
  }
}

function handles(parts: SupervisedParts, held: HeldDataDir): Pick<Supervisor, 'pids' | 'stop' | 'stopNow'> {
  return {
    pids: () => parts.pids(),
    stop: () => parts.stop().finally(() => held.release()),
    stopNow: () => parts.stopNow().finally(() => held.release()),
  };
}
