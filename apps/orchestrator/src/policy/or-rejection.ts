import type { Result } from '#policy';
import { ProblemError } from '../http/problem.js';

/** The value of a result, or the problem of its rejection: its code, its words and every offender. */
export function orRejection<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  const { code, message, offenders } = result.rejection;
  throw new ProblemError(code, message, { offenders });
}
