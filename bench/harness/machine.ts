import { availableParallelism, cpus, loadavg } from 'node:os';

/** What a figure cannot be read without: the machine and how busy it was. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly node: string;
  /** Load average of the last minute. */
  readonly load: number;
}

/** The machine as it is now. */
export function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown processor',
    node: process.version,
    load: Number((loadavg()[0] ?? 0).toFixed(2)),
  };
}
