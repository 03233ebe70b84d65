import { adminKeyFile, isLoopbackHost, readOrMakeAdminKey } from '#platform';
import { holdDataDir, type HeldDataDir } from './hold-data-dir.js';
import type { Listening } from './parse-listening.js';
import { startParts } from './start-parts.js';
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

/**
 * Runs the whole product of one data directory (spec 01, "Embedded default") and keeps its processes alive.
 * Throws `DataDirHeldError`, `EmbeddedPostgresError` or `StartFailedError`; nothing is left running then.
 */
export async function startSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  const { config } = options;
  const held = await holdDataDir(config.dataDir);
  const parts = new SupervisedParts(options.stopLimitMs ?? 30_000);
  try {
    // Reached from other machines, it takes keys that somebody made; its orchestrator looks for them (spec 05 §7).
    const makesKey = config.apiKey === undefined && isLoopbackHost(config.http.host);
    if (makesKey) await readOrMakeAdminKey(config.dataDir);
    const started = await startParts(options, parts, () => {
      // A full disk must not end the product; the file is a convenience.
      held.publish({ pids: parts.pids() }).catch(() => undefined);
    });
    await held.publish({ address: started.address, pids: parts.pids() });
    const keyFile = makesKey ? { keyFile: adminKeyFile(config.dataDir) } : {};
    return { ...started, ...keyFile, ...handles(parts, held) };
  } catch (error) {
    await parts.stop();
    await held.release();
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
