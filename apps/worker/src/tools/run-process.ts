import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { BoundedOutput } from './bounded-output.js';
import { killMarked } from './kill-marked.js';
import { LIFELINE_SCRIPT } from './lifeline-script.js';

/** A command to run. `env` is all of its environment; `maxBytes` is what is kept of its output. */
export interface ProcessRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** What the command reads; absent means that there is nothing to read. */
  readonly input?: string;
  /** Keeps standard error out of the output, in `errors`. */
  readonly errorsApart?: boolean;
}

/** How a command ended; `output` is its standard output and error, as they were mixed, unless errors are kept apart. */
export type ProcessEnd = { readonly output: string; readonly errors: string } & (
  | { readonly how: 'exited'; readonly exitCode: number }
  | { readonly how: 'killed'; readonly by: string }
  | { readonly how: 'timed_out' | 'cancelled' }
  | { readonly how: 'not_started'; readonly reason: string }
);

const GRACE_MS = 1_000;

type Interruption = 'timed_out' | 'cancelled';

/** The lifeline mixes error into output; this puts it on a descriptor of its own again. */
const OWN_ERRORS = ['sh', '-c', 'exec 2>&4 4>&-; exec "$@"', 'sh'];

function start({ file, args, cwd, env, input, errorsApart = false }: ProcessRequest, mark: string) {
  const command = [...(errorsApart ? OWN_ERRORS : []), file, ...args];
  return execa('sh', ['-c', LIFELINE_SCRIPT, 'sh', mark, ...command], {
    cwd,
    env,
    extendEnv: false,
    detached: true,
    cleanup: false,
    reject: false,
    buffer: false,
    encoding: 'buffer',
    ...(input === undefined ? {} : { input }),
    stdio: [
      input === undefined ? 'ignore' : 'pipe',
      'pipe',
      'ignore',
      'pipe',
      errorsApart ? 'pipe' : 'ignore',
    ],
  });
}

function signalGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The whole group has ended.
  }
}

/** Resolves with the reason when the command must be stopped before its end; never if `done` comes first. */
function interruption({ signal, timeoutMs }: ProcessRequest, done: AbortSignal): Promise<Interruption> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('timed_out'), timeoutMs);
    const cancel = () => resolve('cancelled');
    signal.addEventListener('abort', cancel);
    done.addEventListener('abort', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    });
    if (signal.aborted) cancel();
  });
}

/** Asks the group to end, then makes it. */
async function stop(pid: number | undefined, exited: Promise<unknown>): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  await Promise.race([exited, delay(GRACE_MS)]);
  signalGroup(pid, 'SIGKILL');
  await Promise.race([exited, delay(GRACE_MS)]);
}

/**
 * Runs a command in a process group of its own and resolves when nothing of it is left: when its first process
 * ends, when its time is up or when the signal is aborted, the group and whatever bears its mark are killed,
 * background children included. They also die with this process (`LIFELINE_SCRIPT`). Memory is bounded by
 * `maxBytes`. Never rejects. A process that both left the group and emptied its environment escapes.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessEnd> {
  const mark = randomUUID();
  const output = new BoundedOutput(request.maxBytes);
  const errors = new BoundedOutput(request.maxBytes);
  const child = start(request, mark);
  child.stdout.on('data', (chunk: Uint8Array) => output.append(chunk));
  child.stdio[4]?.on('data', (chunk: Uint8Array) => errors.append(chunk));
  const done = new AbortController();
  const exited = Promise.race([new Promise((resolve) => child.once('exit', resolve)), child]).then(
    () => undefined,
  );
  const interrupted = await Promise.race([exited, interruption(request, done.signal)]);
  done.abort();
  if (interrupted !== undefined) await stop(child.pid, exited);
  signalGroup(child.pid, 'SIGKILL');
  await killMarked(mark);
  // Whoever escaped may still hold the pipe open; nobody waits for it.
  await Promise.race([child, delay(GRACE_MS)]);
  child.stdout.destroy();
  for (const stream of child.stdio) stream?.destroy();
  const kept = { output: output.toText(), errors: errors.toText() };
  return interrupted === undefined ? { ...kept, ...endOf(await child) } : { ...kept, how: interrupted };
}

type OwnEnd =
  | { how: 'exited'; exitCode: number }
  | { how: 'killed'; by: string }
  | { how: 'not_started'; reason: string };

function endOf({ exitCode, signal, originalMessage }: Awaited<ReturnType<typeof start>>): OwnEnd {
  if (exitCode !== undefined) return { how: 'exited', exitCode };
  if (signal !== undefined) return { how: 'killed', by: signal };
  return { how: 'not_started', reason: originalMessage ?? 'unknown' };
}
