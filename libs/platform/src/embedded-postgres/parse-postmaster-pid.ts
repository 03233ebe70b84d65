/** What a running PostgreSQL says of itself in `postmaster.pid`. */
export interface PostmasterPid {
  readonly pid: number;
  readonly port: number | undefined;
  /** `starting`, `ready`, `stopping` or `standby`; undefined while the file is not written to its end. */
  readonly status: string | undefined;
}

/**
 * Reads the lines of `postmaster.pid`: pid, folder, start time, port, socket folder, address, shared memory,
 * status. Undefined when the first line is no process id (an empty file after a full disk, for one).
 */
export function parsePostmasterPid(text: string): PostmasterPid | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const pid = positive(lines[0]);
  if (pid === undefined) return undefined;
  return { pid, port: positive(lines[3]), status: lines[7] === '' ? undefined : lines[7] };
}

function positive(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
}
