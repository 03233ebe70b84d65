import { fork } from 'node:child_process';
import { StartFailedError } from './start-failed-error.js';

/** Runs the migration program to its end. Throws `StartFailedError` when it does not end with code 0. */
export function runMigrations(
  script: string,
  env: NodeJS.ProcessEnv,
  output: 'inherit' | 'ignore',
): Promise<void> {
  const log = output === 'inherit' ? 2 : 'ignore';
  return new Promise((resolve, reject) => {
    const child = fork(script, [], { env, detached: true, execArgv: [], stdio: ['ignore', log, log, 'ipc'] });
    child.once('error', (error) =>
      reject(new StartFailedError(`The migrations could not be run: ${error.message}`, { cause: error })),
    );
    child.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new StartFailedError(
            `The migrations ended with ${code ?? signal ?? 'nothing'}; see the log above.`,
          ),
        );
    });
  });
}
