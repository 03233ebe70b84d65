/** Thrown by {@link withinDeadline}; never retried by it. The work itself goes on and its later outcome is dropped. */
export class DeadlineExceeded extends Error {
  readonly code = 'DEADLINE_EXCEEDED';

  constructor(what: string, deadlineMs: number) {
    super(`${what} took longer than ${deadlineMs} ms.`);
    this.name = 'DeadlineExceeded';
  }
}

/**
 * The outcome of `work`, or {@link DeadlineExceeded} after `deadlineMs`. A late rejection of `work` is swallowed.
 * @throws what `work` rejects with, or DeadlineExceeded
 */
export async function withinDeadline<T>(work: Promise<T>, deadlineMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeadlineExceeded(what, deadlineMs)), deadlineMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
