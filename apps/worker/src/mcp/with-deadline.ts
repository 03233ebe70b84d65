import { isError } from './is-error.js';

/** Something took longer than it may. Thrown here, answered by whoever set the deadline. */
export class DeadlineError extends Error {
  readonly code = 'DEADLINE';
}

/** What `work` resolves with, or a `DeadlineError`, or the reason of an aborted signal; the work itself goes on. */
export function withDeadline<T>(
  work: Promise<T>,
  ms: number,
  what: string,
  signal?: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (fault: unknown): void =>
      reject(isError(fault) ? fault : new Error('It was stopped.', { cause: fault }));
    const timer = setTimeout(() => fail(new DeadlineError(`${what} took longer than ${ms} ms`)), ms);
    const abort = (): void => fail(signal?.reason);
    signal?.addEventListener('abort', abort);
    void work.then(resolve, fail).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    });
    if (signal?.aborted === true) abort();
  });
}
