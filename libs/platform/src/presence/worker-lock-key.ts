import { createHash } from 'node:crypto';

/**
 * The advisory lock that only the process of this worker ever takes: 64 bits of a hash, as the decimal text of a signed
 * bigint. Text, because a JavaScript number does not hold it.
 */
export function workerLockKey(workerId: string): string {
  return createHash('sha256').update(`offshoot worker ${workerId}`).digest().readBigInt64BE(0).toString();
}
