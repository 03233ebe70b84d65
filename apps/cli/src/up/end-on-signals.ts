import { errorCode } from '#platform';
import type { SupervisorStart } from './start-supervisor.js';

/**
 * SIGINT and SIGTERM end this process with the product, started or still starting: the first in order (exit code 0, or what was set), the second at
 * once (exit code 130). A reader of our output that went away is a first signal.
 */
export function endOnSignals(start: Pick<SupervisorStart, 'stop' | 'stopNow'>): void {
  let signals = 0;
  const end = (): void => {
    signals += 1;
    // A second signal ends the parts under the first stop, which then looks done: the exit code is that signal's.
    if (signals === 1) void stopInOrder(start, () => signals === 1);
    else void start.stopNow().finally(() => process.exit(130));
  };
  const onOutputFault = (error: Error): void => {
    if (errorCode(error) !== 'EPIPE') throw error;
    if (signals === 0) end();
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  process.stdout.on('error', onOutputFault);
  process.stderr.on('error', onOutputFault);
}

async function stopInOrder(
  start: Pick<SupervisorStart, 'stop'>,
  isStillInOrder: () => boolean,
): Promise<void> {
  process.stderr.write('Stopping; once more to stop at once.\n');
  await start.stop();
  if (isStillInOrder()) process.exit();
}
