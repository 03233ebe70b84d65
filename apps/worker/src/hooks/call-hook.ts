import { type ProcessEnd, runProcess } from '../tools/run-process.js';
import type { Hook, HookPorts, HookReply } from './hook.js';
import { postHook } from './post-hook.js';

const keptBytes = 1_048_576;
/** Of what a hook says about itself. */
const reasonUnits = 2_000;
/** The exit code by which a command blocks; every other but 0 is a failure. */
const blockingExit = 2;

/** Calls a hook with a payload, within its time. Never rejects: what goes wrong is a failure, also an aborted signal. */
export function callHook(
  hook: Hook,
  payload: string,
  ports: HookPorts,
  signal: AbortSignal,
): Promise<HookReply> {
  if (hook.url !== undefined) return postHook(hook.url, payload, hook.timeoutMs, signal);
  return runHook(hook.command ?? '', payload, { ...ports, timeoutMs: hook.timeoutMs, signal });
}

interface RunOptions extends Pick<HookPorts, 'environment' | 'directory'> {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The payload goes to standard input, the answer comes from standard output. Nothing that the command starts outlives it. */
async function runHook(command: string, payload: string, options: RunOptions): Promise<HookReply> {
  const end = await runProcess({
    file: 'sh',
    args: ['-c', command],
    cwd: options.directory,
    env: options.environment,
    timeoutMs: options.timeoutMs,
    maxBytes: keptBytes,
    signal: options.signal,
    input: payload,
    errorsApart: true,
  });
  const said = (end.errors.trim() || end.output.trim()).slice(0, reasonUnits);
  if (end.how === 'exited' && end.exitCode === 0) return { kind: 'answered', text: end.output };
  if (end.how === 'exited' && end.exitCode === blockingExit) return { kind: 'blocked', reason: said };
  return { kind: 'failed', reason: describeFailure(end, options.timeoutMs, said) };
}

function describeFailure(end: ProcessEnd, timeoutMs: number, said: string): string {
  switch (end.how) {
    case 'exited':
      return `it ended with exit code ${end.exitCode}${said === '' ? '' : `: ${said}`}`;
    case 'killed':
      return `it was killed by ${end.by}`;
    case 'timed_out':
      return `it took longer than ${timeoutMs} ms`;
    case 'cancelled':
      return 'it was cancelled';
    case 'not_started':
      return `it could not be started: ${end.reason}`;
  }
}
