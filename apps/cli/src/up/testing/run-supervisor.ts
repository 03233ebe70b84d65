import { loadConfig } from '#platform';
import type { Programs } from '../programs.js';
import { endOnSignals } from '../end-on-signals.js';
import { StartStoppedError } from '../start-stopped-error.js';
import { beginSupervisor } from '../start-supervisor.js';

/** What the spec asks for, as JSON in the first argument. */
export interface RunSupervisor {
  readonly dataDir: string;
  readonly programs: Programs;
  readonly env: Readonly<Record<string, string>>;
}

/** A supervisor in a process of its own, so that a spec can kill it. Says in one JSON line what it runs. */
const { dataDir, programs, env } = JSON.parse(process.argv[2] ?? '{}') as RunSupervisor;
const config = loadConfig({ OFFSHOOT_DATA_DIR: dataDir, OFFSHOOT_WORKERS: '2' });
const start = beginSupervisor({ config, programs, env, output: 'ignore' });
endOnSignals(start);
start.started.then(
  (supervisor) => {
    process.stdout.write(`${JSON.stringify(supervisor.pids())}\n`);
  },
  (error: unknown) => {
    process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`);
    if (!(error instanceof StartStoppedError)) process.exitCode = 1;
  },
);
