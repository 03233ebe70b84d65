/** Thrown when another supervisor runs on the data directory; the message says which. Never retried. */
export class DataDirHeldError extends Error {
  readonly code = 'DATA_DIR_HELD';
  readonly pid: number;

  constructor(
    dataDir: string,
    holder: { readonly pid: number; readonly startedAt: string; readonly address?: string },
  ) {
    const at = holder.address === undefined ? 'still starting' : `at ${holder.address}`;
    super(
      `Offshoot runs on ${dataDir} already: process ${holder.pid}, since ${holder.startedAt}, ${at}. ` +
        'Use that one, stop it, or choose another OFFSHOOT_DATA_DIR (and PORT).',
    );
    this.name = 'DataDirHeldError';
    this.pid = holder.pid;
  }
}
