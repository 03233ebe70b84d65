import { connectionFailure } from '../errors/connection-failure.js';
import { errorCode, errorMessage } from '../errors/error-code.js';

/** SQLSTATEs of a login, a database or a server that does not take us: wrong user or password, no such database, no connection left, starting up. */
const notTaken = new Set(['28P01', '28000', '3D000', '53300', '57P03']);
const tooLate = /timeout expired|connection terminated|timeout exceeded when trying to connect/i;

/** Says in one line that the database of `DATABASE_URL` does not answer or does not let us in; null for any other fault. */
export function databaseRefusal(error: unknown): string | null {
  const reason = connectionFailure(error) ?? ownReason(error);
  return reason === null ? null : `DATABASE_URL names a database that cannot be used: ${reason}.`;
}

function ownReason(error: unknown): string | null {
  const message = errorMessage(error);
  return notTaken.has(errorCode(error) ?? '') || tooLate.test(message) ? message : null;
}
