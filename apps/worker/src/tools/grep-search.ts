import { stat } from 'node:fs/promises';
import { rgPath } from '@vscode/ripgrep';
import { childEnvironment } from './child-environment.js';
import { answered, defineTool, failed } from './define-tool.js';
import { refused } from './file-problem.js';
import { displayPath, locateExisting } from './locate-path.js';
import { type ProcessEnd, runProcess } from './run-process.js';
import type { ToolResult } from './tool.js';

interface Given {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly ignore_case?: boolean;
  readonly context_lines?: number;
  readonly literal?: boolean;
}

const OUTPUT_CAP = 30_000;
const KEPT_BYTES = 1_048_576;
const LONGEST_MS = 60_000;

const FIXED_OPTIONS = [
  '--no-config',
  '--no-follow',
  '--hidden',
  '--no-require-git',
  '--line-number',
  '--with-filename',
  '--no-heading',
  '--color=never',
  '--max-columns=500',
  '--max-columns-preview',
  '--sort=path',
];

function argumentsOf({ pattern, glob, ignore_case, context_lines, literal }: Given, path: string): string[] {
  return [
    ...FIXED_OPTIONS,
    ...(glob === undefined ? [] : [`--glob=${glob}`]),
    // Last, because the last glob wins: none may bring the repository's own files back.
    '--glob=!.git',
    ...(ignore_case === true ? ['--ignore-case'] : []),
    ...(literal === true ? ['--fixed-strings'] : []),
    ...(context_lines === undefined ? [] : [`--context=${context_lines}`]),
    `--regexp=${pattern}`,
    '--',
    path,
  ];
}

/** ripgrep's exit codes: 0 found, 1 found nothing, 2 something went wrong, in parts or altogether. */
function showEnd(end: ProcessEnd): ToolResult {
  const output = end.output.replaceAll(/^\.\//gm, '');
  switch (end.how) {
    case 'exited':
      if (end.exitCode === 1) return answered('[Nothing matches.]', OUTPUT_CAP);
      return answered(output, OUTPUT_CAP, end.exitCode === 0 ? 'ok' : 'error');
    case 'timed_out':
      return answered(
        `${output}\n[The search was stopped after 60 seconds: narrow it by path or glob.]`,
        OUTPUT_CAP,
        'error',
      );
    case 'cancelled':
      return failed('Cancelled.');
    case 'killed':
      return failed(`The search was killed by ${end.by}.`);
    case 'not_started':
      return failed(`The search could not be started: ${end.reason}`);
  }
}

/** Searches in the content of files with ripgrep. */
export const grepSearch = defineTool<Given>(
  {
    name: 'grep_search',
    description:
      'Searches the content of the project’s text files with a regular expression (ripgrep, Rust syntax) and returns "path:line:text" for every matching line, sorted by path. Files that .gitignore names and binary files are left out; links are not followed.',
    parameters: JSON.stringify({
      type: 'object',
      properties: {
        pattern: { type: 'string', minLength: 1, description: 'The regular expression to search for.' },
        path: {
          type: 'string',
          description: 'The file or directory to search in, relative to the project root; default the root.',
        },
        glob: {
          type: 'string',
          minLength: 1,
          description: 'Search only files that match this glob, such as "*.ts".',
        },
        ignore_case: { type: 'boolean', description: 'Ignore upper and lower case; default false.' },
        context_lines: {
          type: 'integer',
          minimum: 0,
          maximum: 50,
          description: 'How many lines to show around a match; default 0.',
        },
        literal: {
          type: 'boolean',
          description: 'Take the pattern as plain text, not as a regular expression; default false.',
        },
      },
      required: ['pattern'],
      additionalProperties: false,
    }),
    readOnly: true,
    idempotent: true,
    destructive: false,
    outputCap: OUTPUT_CAP,
  },
  async (given, context) => {
    const { projectRoot, signal } = context;
    const { pattern, path = '.', glob = '' } = given;
    if (`${pattern}${glob}`.includes('\0')) return failed('A NUL character cannot be searched for.');
    const located = await locateExisting(projectRoot, path);
    if (!located.ok) return failed(located.problem);
    const stats = await stat(located.real);
    if (!stats.isFile() && !stats.isDirectory())
      return failed(refused(path, 'is not a regular file').problem);
    const end = await runProcess({
      file: rgPath,
      args: argumentsOf(
        given,
        located.real === located.root ? './' : `./${displayPath(located.root, located.real)}`,
      ),
      cwd: located.root,
      env: childEnvironment(context.env()),
      timeoutMs: LONGEST_MS,
      maxBytes: KEPT_BYTES,
      signal,
    });
    return showEnd(end);
  },
);
