import { errorCode } from '#platform';

/** A file of an archiving could not be written or read. */
export class ArchiveFileFault extends Error {
  constructor(
    readonly path: string,
    override readonly cause: unknown,
  ) {
    super(`${path}: ${errorCode(cause) ?? String(cause)}`);
  }
}

/** Works on a file; what the system says against it is a fault of that file. */
export function onFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  return work().catch((cause: unknown) => {
    throw new ArchiveFileFault(path, cause);
  });
}
