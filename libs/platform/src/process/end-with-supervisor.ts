/** Longest that an orderly end may take before the process ends anyway. */
const graceMs = 10_000;

/** Ends this process in order on SIGTERM, SIGINT and when the supervisor that started it is gone; at once on a second signal. */
export function endWithSupervisor(close: () => Promise<unknown>): void {
  let isEnding = false;
  const end = (): void => {
    if (isEnding) process.exit(1);
    isEnding = true;
    setTimeout(() => process.exit(1), graceMs).unref();
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', end).on('SIGINT', end);
  process.on('disconnect', end);
  // Gone before we listened: no event follows. Undefined means that nobody started us with a channel.
  if (!((process.connected as boolean | undefined) ?? true)) end();
}
