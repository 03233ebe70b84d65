import { describe, expect, it } from '@jest/globals';
import { checkPresenceTiming, defaultObserverTiming, defaultPresenceTiming } from './presence-timing.js';
import { workerApplicationName } from './worker-application-name.js';
import { workerLockKey } from './worker-lock-key.js';

const id = '019ad5a4-7b7e-7c3e-8a51-0d6f6a1f4c11';

describe('presence, fixed values', () => {
  it('the default times let a lease outlast two failed renewals, and an observer gap', () => {
    expect(checkPresenceTiming(defaultPresenceTiming)).toBe(defaultPresenceTiming);
    expect(defaultPresenceTiming.leaseMs).toBeGreaterThan(
      defaultObserverTiming.graceMs + defaultPresenceTiming.renewMs,
    );
  });

  it('a lease that one lost renewal would end is refused', () => {
    expect(() => checkPresenceTiming({ ...defaultPresenceTiming, leaseMs: 3000 })).toThrow(RangeError);
  });

  it('the application name fits into the 63 bytes that PostgreSQL keeps', () => {
    expect(workerApplicationName(id)).toBe(`offshoot-worker-${id}`);
    expect(workerApplicationName(id).length).toBeLessThanOrEqual(63);
  });

  it('the lock key is a signed 64-bit number, the same for the same worker in every release', () => {
    expect(workerLockKey(id)).toBe('7981237439320365260');
    expect(workerLockKey(id)).not.toBe(workerLockKey('019ad5a4-7b7e-7c3e-8a51-0d6f6a1f4c12'));
  });
});
