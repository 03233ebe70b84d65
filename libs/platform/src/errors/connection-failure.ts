import { errorCode, errorMessage } from './error-code.js';

const notReached = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'ETIMEDOUT',
]);
/** System calls in which a connection is made; a file that is not there has ENOENT as well. */
const connecting = new Set(['connect', 'getaddrinfo', 'read']);

/** Why a connection could not be made, as the system says it; null for any other fault. */
export function connectionFailure(error: unknown): string | null {
  if (!notReached.has(errorCode(error) ?? '') || !isConnecting(error)) return null;
  // A host with several addresses fails with one error for each and no message.
  const each = error instanceof AggregateError ? error.errors.map(errorMessage) : [];
  return errorMessage(error) || each.join(', ') || (errorCode(error) ?? null);
}

function isConnecting(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnecting);
  const call: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, 'syscall') : undefined;
  return typeof call === 'string' && connecting.has(call);
}
