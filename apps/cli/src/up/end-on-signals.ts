import type { Supervisor } from './start-supervisor.js';

/**
 * SIGINT and SIGTERM end this process with the product: the first in order (exit code 0), the second at once
 * (exit code 130).
 */
export function endOnSignals(starting: Promise<Supervisor>): void {
  let running: Supervisor | undefined;
  const started = starting.then(
    (supervisor) => (running = supervisor),
    () => undefined,
  );
  let signals = 0;
  const end = (): void => {
    signals += 1;
    if (signals === 1) void stopInOrder(started, () => signals === 1);
    // What is still starting has no handle yet: its processes end when they lose us.
    else void stopAtOnce(running);
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
}

async function stopInOrder(
  started: Promise<Supervisor | undefined>,
  isStillInOrder: () => boolean,
): Promise<void> {
  process.stderr.write('Stopping; once more to stop at once.\n');
  const supervisor = await started;
  await supervisor?.stop();
  // A second signal ends the parts under this stop, which then looks done: the exit code is that signal's.
  if (isStillInOrder()) process.exit();
}

async function stopAtOnce(supervisor: Supervisor | undefined): Promise<void> {
  await supervisor?.stopNow();
  process.exit(130);
}
