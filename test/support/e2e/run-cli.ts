import { execFile } from 'node:child_process';
import { join } from 'node:path';

const apps = join(import.meta.dirname, '..', '..', '..', 'dist/apps');
const mainOf = (app: string): string => join(apps, app, 'src/main.js');

/** How one call of the built command line ended. */
export interface CliAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `offshoot` with only the named settings of ours in its environment. */
export function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<CliAnswer> {
  return runNode([...nodeOptions, mainOf('cli'), ...args], env);
}

/** The same without the right of root to write everywhere: permissions hold for it as for anybody. */
export function runCliUnprivileged(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CliAnswer> {
  if (process.getuid?.() !== 0) return runCli(args, env);
  const other = ['--user', '--map-user=65534', '--map-group=65534'];
  return run('unshare', [...other, process.execPath, mainOf('cli'), ...args], env);
}

/** Runs one of the built programs alone, as a container does, until it ends by itself. */
export function runProgram(app: string, env: Readonly<Record<string, string>>): Promise<CliAnswer> {
  return runNode([mainOf(app)], env);
}

const runNode = (args: readonly string[], env: Readonly<Record<string, string>>): Promise<CliAnswer> =>
  run(process.execPath, args, env);

function run(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CliAnswer> {
  const { DATABASE_URL: _url, REDIS_URL: _redis, NODE_OPTIONS: _options, ...rest } = process.env;
  return new Promise((resolve) => {
    execFile(
      file,
      args,
      { env: { ...rest, ...env }, maxBuffer: 512 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ code, stdout, stderr });
      },
    );
  });
}
