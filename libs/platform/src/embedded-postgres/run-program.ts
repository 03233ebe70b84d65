import { spawnAs, type Account } from './account.js';

/** How a program ended; `output` is its standard output and error together, the last 4,000 characters. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program to its end under an account; the signal ends it at once. A program that cannot be started ends with code null. */
export function runProgram(
  account: Account,
  command: readonly [string, ...string[]],
  options: { cwd: string; env: NodeJS.ProcessEnv; timeoutMs: number; signal?: AbortSignal },
): Promise<ProgramEnd> {
  const [program, ...args] = command;
  return new Promise((resolve) => {
    let output = '';
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-4000);
    };
    const child = spawnAs(account, program, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
      // In a session of its own: ^C in a terminal is for us, who end it by the signal.
      detached: true,
      ...(options.signal && { signal: options.signal }),
    });
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('error', (error) => {
      // One that was ended by the signal is waited for: its files are removed next.
      if (child.pid === undefined) resolve({ code: null, output: `${output}${error.message}` });
    });
    child.on('close', (code) => resolve({ code, output }));
  });
}
