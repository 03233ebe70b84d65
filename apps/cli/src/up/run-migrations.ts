import { fork } from 'node:child_process';
import { parseStartRefusal } from '#platform';
import { StartFailedError } from './start-failed-error.js';

/** How the migration program is run. */
export interface MigrationRun {
  readonly env: NodeJS.ProcessEnv;
  readonly output: 'inherit' | 'ignore';
  /** Ends the program. */
  readonly signal?: AbortSignal;
}

/** Runs the migration program to its end. Throws `StartFailedError` when it does not end with code 0. */
export function runMigrations(script: string, { env, output, signal }: MigrationRun): Promise<void> {
  const log = output === 'inherit' ? 2 : 'ignore';
  return new Promise((resolve, reject) => {
    const stopped = signal === undefined ? {} : { signal };
    const child = fork(script, [], {
      env,
      detached: true,
      execArgv: [],
      stdio: ['ignore', log, log, 'ipc'],
      ...stopped,
    });
    let refusal: string | undefined;
    child.on('message', (message) => (refusal = parseStartRefusal(message) ?? refusal));
    child.once('error', (error) =>
      reject(new StartFailedError(`The migrations could not be run: ${error.message}`, { cause: error })),
    );
    child.once('exit', (code, ended) => {
      if (code === 0) resolve();
      else reject(new StartFailedError(refusal ?? endedWith(code ?? ended ?? 'nothing')));
    });
  });
}

const endedWith = (how: number | string): string => `The migrations ended with ${how}; see the log above.`;
