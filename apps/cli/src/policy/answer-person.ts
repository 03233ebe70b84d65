import { ConfigError, errorCode, errorMessage } from '#platform';
import { ApiProblem } from '../api/api-client.js';
import { ServerNotFoundError } from '../api/server-not-found-error.js';
import { printJson } from './terminal.js';
import { UsageError } from './usage-error.js';

/** What a command ends with: 0 all is well, 1 what was asked about is bad, 2 it could not be found out. */
export type ExitCode = 0 | 1 | 2;

interface Refusal {
  readonly code: string;
  readonly message: string;
}

/**
 * Runs a command and sets the exit code. What the person can mend is told in its own words, as JSON where that was asked for; any
 * other fault is thrown.
 */
export async function answerPerson(isJson: boolean, run: () => Promise<ExitCode>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    if (isJson) printJson({ error: refusal });
    else process.stderr.write(`${refusal.message}\n`);
    process.exitCode = isAboutTheQuestion(error) ? 1 : 2;
  }
}

function refusalOf(error: unknown): Refusal | null {
  if (error instanceof ApiProblem) return { code: error.code, message: error.message };
  if (error instanceof ServerNotFoundError) return { code: 'SERVER_NOT_FOUND', message: error.message };
  if (error instanceof ConfigError) return { code: 'CONFIG_INVALID', message: error.message };
  if (error instanceof UsageError) return { code: 'USAGE', message: error.message };
  return isUnreachable(error)
    ? { code: 'SERVER_UNREACHABLE', message: `The server could not be reached: ${causeOf(error)}.` }
    : null;
}

/** 422 says that what was asked about is bad; other statuses say that there was no answer. */
const isAboutTheQuestion = (error: unknown): boolean => error instanceof ApiProblem && error.status === 422;

/** What fetch throws when there was no answer at all. */
const isUnreachable = (error: unknown): error is TypeError =>
  error instanceof TypeError && error.cause instanceof Error;

/** A failure to connect to every address of a host has a code and no message. */
const causeOf = ({ cause }: TypeError): string => errorMessage(cause) || (errorCode(cause) ?? 'no answer');
