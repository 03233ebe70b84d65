/**
 * Why a worker counts as dead. `crashed`: its session ended while it was still renewing, or nobody saw it end. `cut`: its
 * session ended after its renewals had stopped, as the server gave up on a silent connection. `frozen`: it held its session
 * but let its lease run out. `stopped`: it said so itself.
 */
export const DeathCause = Object.freeze({
  crashed: 'crashed',
  cut: 'cut',
  frozen: 'frozen',
  stopped: 'stopped',
});
export type DeathCause = (typeof DeathCause)[keyof typeof DeathCause];
