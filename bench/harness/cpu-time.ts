/**
 * CPU time in nanoseconds that this process (all its threads, the collector's included) spent in `work`. Fairer than the
 * clock where other processes share the cores: time in which the process did not run is not counted.
 */
export function cpuNanoseconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1000;
}
