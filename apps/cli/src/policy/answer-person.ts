import { SessionNotFoundError } from '#agents';
import { ConfigError, EmbeddedPostgresError, errorCode, errorMessage, StartRefusedError } from '#platform';
import { NotPortableError } from '#transcripts';
import { ApiProblem } from '../api/api-client.js';
import { ServerNotFoundError } from '../api/server-not-found-error.js';
import { NoDatabaseError } from '../database/no-database-error.js';
import { OperationFailedError } from '../database/operation-failed-error.js';
import { OperationRefusedError } from '../database/operation-refused-error.js';
import { StartFailedError } from '../up/start-failed-error.js';
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

/** Faults whose message was written for the person, and the code that a program knows them by. */
const forThePerson: readonly (readonly [abstract new (...given: never[]) => Error, string])[] = [
  [ServerNotFoundError, 'SERVER_NOT_FOUND'],
  [ConfigError, 'CONFIG_INVALID'],
  [UsageError, 'USAGE'],
  [StartRefusedError, 'START_REFUSED'],
  [NoDatabaseError, 'DATABASE_NOT_FOUND'],
  [EmbeddedPostgresError, 'DATABASE_FAILED'],
  [StartFailedError, 'MIGRATIONS_FAILED'],
  [OperationFailedError, 'OPERATION_FAILED'],
  [SessionNotFoundError, 'SESSION_NOT_FOUND'],
  [NotPortableError, 'FILE_NOT_PORTABLE'],
];

function refusalOf(error: unknown): Refusal | null {
  if (error instanceof OperationRefusedError) return { code: error.code, message: error.message };
  if (error instanceof ApiProblem) return { code: error.code, message: error.message };
  const known = forThePerson.find(([kind]) => error instanceof kind);
  if (known !== undefined) return { code: known[1], message: errorMessage(error) };
  if (isDatabaseAway(error))
    return { code: 'DATABASE_UNREACHABLE', message: `The database could not be reached: ${whyAway(error)}.` };
  return isUnreachable(error)
    ? { code: 'SERVER_UNREACHABLE', message: `The server could not be reached: ${causeOf(error)}.` }
    : null;
}

/** Codes of connections that were refused or not found, and of PostgreSQL for a login or a database that is not there. */
const away = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNRESET',
  '28P01',
  '28000',
  '3D000',
  '57P03',
]);

const isDatabaseAway = (error: unknown): boolean => away.has(errorCode(error) ?? '');
const whyAway = (error: unknown): string => errorMessage(error) || (errorCode(error) ?? 'no answer');

/** 422 says that what was asked about is bad; other statuses say that there was no answer. */
const isAboutTheQuestion = (error: unknown): boolean => error instanceof ApiProblem && error.status === 422;

/** What fetch throws when there was no answer at all. */
const isUnreachable = (error: unknown): error is TypeError =>
  error instanceof TypeError && error.cause instanceof Error;

/** A failure to connect to every address of a host has a code and no message. */
const causeOf = ({ cause }: TypeError): string => errorMessage(cause) || (errorCode(cause) ?? 'no answer');
