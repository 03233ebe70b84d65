import { setTimeout as sleep } from 'node:timers/promises';

// Deadlock and serialisation: the transaction was rolled back and may be run again.
const rolledBack = new Set(['40P01', '40001']);
const disconnected = new Set([
  '57P01',
  '57P02',
  '57P03',
  '53300',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const disconnectedText =
  /connection terminated|connection error|timeout exceeded when trying to connect|query read timeout/i;

/** True for errors after which the same statement may be sent again: it was rolled back, or its connection is gone. */
export function isTransient(error: unknown): boolean {
  const code = textMember(error, 'code');
  if (rolledBack.has(code) || disconnected.has(code) || code.startsWith('08')) return true;
  return disconnectedText.test(textMember(error, 'message'));
}

/** By its properties and not its class: a driver's error may come from another realm. */
function textMember(error: unknown, name: string): string {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === 'string' ? value : '';
}

/**
 * Runs `work` until it succeeds, fails for good, or `attempts` are used up; pauses double from 25 ms, so that the
 * default outlives a restart of the database of about three seconds. `work` must be safe to run again when the outcome of an
 * earlier try is unknown.
 */
export async function retryTransient<T>(work: () => Promise<T>, attempts = 8): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= attempts || !isTransient(error)) throw error;
      await sleep(25 * 2 ** (attempt - 1));
    }
  }
}
