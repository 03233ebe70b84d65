import { stat } from 'node:fs/promises';
import { childEnvironment } from './child-environment.js';
import { answered, defineTool, failed } from './define-tool.js';
import { refused } from './file-problem.js';
import { locateExisting } from './locate-path.js';
import { EMPTY_OUTPUT } from './output-cap.js';
import { type ProcessEnd, runProcess } from './run-process.js';
import type { ToolResult } from './tool.js';

interface Given {
  readonly command: string;
  readonly directory?: string;
  readonly timeout_seconds?: number;
}

const OUTPUT_CAP = 30_000;
const KEPT_BYTES = 4_194_304;
const DEFAULT_SECONDS = 120;
const MOST_SECONDS = 600;

// bash where there is one, since models write bash.
const SHELL_SCRIPT = 'command -v bash >/dev/null 2>&1 && exec bash -c "$1"; exec sh -c "$1"';

function describeEnd(end: ProcessEnd, seconds: number): string | undefined {
  switch (end.how) {
    case 'exited':
      return end.exitCode === 0 ? undefined : `The command ended with exit code ${end.exitCode}.`;
    case 'killed':
      return `The command was killed by ${end.by}.`;
    case 'timed_out':
      return `The command was stopped after ${seconds} seconds, with everything it had started.`;
    case 'cancelled':
      return 'The command was cancelled and stopped, with everything it had started.';
    case 'not_started':
      return `The command could not be started: ${end.reason}`;
  }
}

function showEnd(end: ProcessEnd, seconds: number): ToolResult {
  const ending = describeEnd(end, seconds);
  if (ending === undefined) return answered(end.output, OUTPUT_CAP);
  const output = end.output === '' ? EMPTY_OUTPUT : end.output;
  return answered(`${output}${output.endsWith('\n') ? '' : '\n'}[${ending}]`, OUTPUT_CAP, 'error');
}

/** Runs a shell command; nothing that it starts outlives the call, or the worker. */
export const runShellCommand = defineTool<Given>(
  {
    name: 'run_shell_command',
    description:
      'Runs a command with bash in the project and returns what it prints, standard output and error together, and its exit code when that is not 0. Nobody can type into it. Everything the command starts, background processes too, is stopped when it ends or its time is up: start a server and use it within one command. Prefer read_file, grep_search, glob and edit to cat, grep, find and sed.',
    parameters: JSON.stringify({
      type: 'object',
      properties: {
        command: { type: 'string', minLength: 1, description: 'The command line.' },
        directory: {
          type: 'string',
          description: 'The directory to run it in, relative to the project root; default the root.',
        },
        timeout_seconds: {
          type: 'integer',
          minimum: 1,
          maximum: MOST_SECONDS,
          description: `How long it may take; default ${DEFAULT_SECONDS}, at most ${MOST_SECONDS}.`,
        },
      },
      required: ['command'],
      additionalProperties: false,
    }),
    readOnly: false,
    idempotent: false,
    destructive: true,
    outputCap: OUTPUT_CAP,
  },
  async ({ command, directory = '.', timeout_seconds = DEFAULT_SECONDS }, context) => {
    if (command.includes('\0')) return failed('The command has a NUL character, which no shell accepts.');
    const cwd = await locateExisting(context.projectRoot, directory);
    if (!cwd.ok) return failed(cwd.problem);
    if (!(await stat(cwd.real)).isDirectory())
      return failed(refused(directory, 'is not a directory').problem);
    const end = await runProcess({
      file: 'sh',
      args: ['-c', SHELL_SCRIPT, 'sh', command],
      cwd: cwd.real,
      env: childEnvironment(context.env()),
      timeoutMs: timeout_seconds * 1_000,
      maxBytes: KEPT_BYTES,
      signal: context.signal,
    });
    return end.how === 'not_started'
      ? failed(refused(directory, `cannot be run in: ${end.reason}`).problem)
      : showEnd(end, timeout_seconds);
  },
);
