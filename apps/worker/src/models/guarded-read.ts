import { IdleWatchdog } from './idle-watchdog.js';
import { ModelFault } from './model-fault.js';
import type { RequestOrigin } from './model.js';

/**
 * Reads one stream to its end under the caller's signal and an idle watchdog, and answers why it broke off, if it did. Throws
 * when the caller cancelled. `consume` must touch the watchdog at every sound; `classify` judges what it threw.
 */
export async function guardedRead(
  signal: AbortSignal,
  consume: (watchdog: IdleWatchdog) => Promise<void>,
  classify: (thrown: unknown) => ModelFault,
): Promise<ModelFault | null> {
  const watchdog = new IdleWatchdog(signal);
  let broken: unknown = null;
  try {
    await consume(watchdog);
  } catch (error) {
    broken = error;
  } finally {
    watchdog.stop();
  }
  // An abort ends the clients' loops in silence, so it is asked for after every loop.
  if (signal.aborted)
    throw new ModelFault('cancelled', 'The model request was cancelled.', { cause: broken });
  if (watchdog.isExpired)
    return new ModelFault('retryable', 'The model stayed silent for too long.', { cause: broken });
  return broken === null ? null : classify(broken);
}

/** The headers that say who asks. */
export function originHeaders(origin: RequestOrigin | undefined): Record<string, string> {
  if (origin === undefined) return {};
  return {
    'x-offshoot-agent': origin.agentId,
    'x-offshoot-run': origin.runId,
    'x-offshoot-epoch': String(origin.epoch),
  };
}
