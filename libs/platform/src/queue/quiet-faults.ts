import { connectionFailure } from '../errors/connection-failure.js';
import type { Logger } from '../logging/create-logger.js';
import type { FaultReport } from './watch-errors.js';

const quietMs = 10_000;

/**
 * Logs the faults of a queue. A backend that is away fails many times a second at each of its clients: the same connection failure is logged
 * once in ten seconds, with how often it was met meanwhile, and without a stack, which says nothing. Every other fault is logged.
 */
export function logFaults(logger: Pick<Logger, 'warn'>, nowMs = () => performance.now()): FaultReport {
  const met = new Map<string, { sinceMs: number; times: number }>();
  return ({ source, error }) => {
    const reason = connectionFailure(error);
    if (reason === null) {
      logger.warn({ err: error, source }, 'the queue failed; it comes back by itself');
      return;
    }
    const before = met.get(reason);
    if (before !== undefined && nowMs() - before.sinceMs < quietMs) {
      before.times += 1;
      return;
    }
    met.set(reason, { sinceMs: nowMs(), times: 0 });
    const unsaid = before === undefined ? {} : { timesSinceThen: before.times };
    logger.warn({ source, reason, ...unsaid }, 'the queue cannot be reached; it is tried again');
  };
}
